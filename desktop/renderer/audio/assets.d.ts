/** Vite builds the module on its own and gives its address. */
declare module '*?worker&url' {
  const address: string;
  export default address;
}

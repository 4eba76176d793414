/** Vite builds the module separately and provides its address. */
declare module '*?worker&url' {
  const address: string;
  export default address;
}

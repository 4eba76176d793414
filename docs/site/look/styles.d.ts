/** The build takes the styles that a script imports. */
declare module '*.css';

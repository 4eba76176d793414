/** jq, compiled to WebAssembly. The build puts it into this module (decision 51). */
export { raw } from 'jq-wasm/inline';

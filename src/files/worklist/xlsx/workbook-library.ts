/** Reads workbooks. The build bundles this part of the package, which has six others (decision 51). */
export { default as readWorkbook } from 'read-excel-file/universal';

// react-devtools-core is never wanted in a bundle: Ink imports it only in development.
export default {};

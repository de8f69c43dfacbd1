/** The version in package.json, put in by the bundler. */
declare const __VERSION__: string;

export const version: string = typeof __VERSION__ === 'string' ? __VERSION__ : 'unbuilt';

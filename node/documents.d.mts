export * from './documents.js';
import * as documents from './documents.js';
export default documents;

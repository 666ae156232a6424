export * from './index.js';
import * as searchscope from './index.js';
export default searchscope;

import searchscope from './index.js';

export const { Workspace, SearchscopeError, tools, scopeReference } = searchscope;
export default searchscope;

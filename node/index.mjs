import searchscope from './index.js';

export const { Workspace, SearchscopeError, tools, scopeReference, secrets } = searchscope;
export default searchscope;

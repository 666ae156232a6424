import searchscope from './index.js';

export const { Workspace, SearchscopeError, tools, scopeReference, secrets, limitHeaps, returnMemory } = searchscope;
export default searchscope;

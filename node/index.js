'use strict';

const { loadAddon } = require('./addon.js');
const { createApi } = require('./api.js');

const api = createApi(loadAddon());
const { Workspace, SearchscopeError, tools, scopeReference, secrets, limitHeaps, returnMemory } = api;

// Named one by one so that tools that read exports without running them see the names.
module.exports = { Workspace, SearchscopeError, tools, scopeReference, secrets, limitHeaps, returnMemory };

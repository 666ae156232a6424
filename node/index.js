'use strict';

const { loadAddon } = require('./addon.js');
const { createApi } = require('./api.js');

const { Workspace, SearchscopeError, tools, scopeReference, secrets } = createApi(loadAddon());

// Named one by one so that tools that read exports without running them see the names.
module.exports = { Workspace, SearchscopeError, tools, scopeReference, secrets };

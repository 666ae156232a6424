'use strict';

const { createApi } = require('./api.js');
const { load } = require('./load.js');

const { Workspace, SearchscopeError, tools, scopeReference, secrets } = createApi(load());

// Named one by one so that tools that read exports without running them see the names.
module.exports = { Workspace, SearchscopeError, tools, scopeReference, secrets };

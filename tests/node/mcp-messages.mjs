// Messages of a client of the protocol, for the tests that write them without a client's library.

export const initialize = (protocolVersion) => ({
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

export const call = (args) => ({
  method: 'tools/call',
  params: { name: 'search_in_files', arguments: args },
});

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** Returns the request as one of a stateless revision, with more or other keys of `_meta`. */
export const stateless = ({ method, params }, version = '2026-07-28', meta = {}) => ({
  method,
  params: { ...params, _meta: { [VERSION_KEY]: version, [CAPABILITIES_KEY]: {}, ...meta } },
});

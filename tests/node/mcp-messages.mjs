// Messages of a client of the protocol, for the tests that write them without a client's library.

export const initialize = (protocolVersion) => ({
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

export const call = (args) => ({
  method: 'tools/call',
  params: { name: 'search_in_files', arguments: args },
});

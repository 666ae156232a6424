'use strict';

const net = require('node:net');
const os = require('node:os');
const { refuse } = require('./refuse.js');

const LOOPBACK = Object.freeze(['localhost', '127.0.0.1', '[::1]']);
const ALL_INTERFACES = Object.freeze(['0.0.0.0', '::']);

/** A Host header: a name or an address, IPv6 in brackets, and optionally a port. */
const HOST = /^(\[[0-9a-f:.%]+\]|[^\s:[\]/@]+)(?::\d{0,5})?$/i;

const PREFLIGHT = Object.freeze({
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': [
    ...['Content-Type', 'Accept', 'Last-Event-ID', 'Mcp-Session-Id'],
    ...['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
  ].join(', '),
  'Access-Control-Max-Age': '600',
});

function isLoopback(host) {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || (net.isIPv4(name) && name.startsWith('127.'));
}

/** Returns the host as it is written in a URL. */
function inUrl(host) {
  return net.isIPv6(host) ? `[${host}]` : host;
}

/** Returns the names by which a service that listens on `host` may be addressed. */
function hostNames(host, allowed = []) {
  const own = ALL_INTERFACES.includes(host)
    ? Object.values(os.networkInterfaces()).flatMap((list) => list.map(({ address }) => address))
    : [host];
  const names = [...LOOPBACK, ...own.map(inUrl), ...allowed.map(inUrl)];
  return new Set(names.map((name) => name.toLowerCase()));
}

/**
 * Admits requests that address this service by one of its names; those of web pages must come from its own
 * pages or from `allowOrigins`. This stops DNS rebinding: a page whose name was made to resolve to this
 * machine sends that name as the host, and is refused.
 */
function guard({ host, allowHosts, allowOrigins = [] }) {
  const names = hostNames(host, allowHosts);
  const origins = new Set(allowOrigins.map((origin) => new URL(origin).origin));
  return (req, res, next) => {
    const name = HOST.exec(req.headers.host ?? '')?.[1].toLowerCase();
    if (!names.has(name) || namesAnother(req)) {
      const message = 'the Host header names another host; allow it with --allow-host';
      return refuse(req, res, { status: 403, code: 'host_not_allowed', message });
    }
    res.set('Cross-Origin-Resource-Policy', 'same-origin');
    const { origin } = req.headers;
    if (origin === undefined && !comesFromElsewhere(req)) return next();
    const granted = origins.has(origin);
    if (!granted && !isOwnOrigin(origin, req, names)) {
      const message = 'this Origin is not allowed; allow it with --allow-origin';
      return refuse(req, res, { status: 403, code: 'origin_not_allowed', message });
    }
    if (granted) {
      res.set('Cross-Origin-Resource-Policy', 'cross-origin');
      res.set({ 'Access-Control-Allow-Origin': origin, Vary: 'Origin' });
      res.set('Access-Control-Expose-Headers', 'Mcp-Session-Id, Retry-After');
      if (req.method === 'OPTIONS') return void res.status(204).set(PREFLIGHT).end();
    }
    next();
  };
}

/** Returns whether a request names its host twice: in a second header, or in an absolute URL. */
function namesAnother({ url, rawHeaders }) {
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host');
  return hosts.length > 1 || !url.startsWith('/');
}

/**
 * Returns whether the browser reports that a page of another site or origin has made the request. Such a
 * request may lack an Origin, as that for an image does, yet the page can infer something of the response.
 */
function comesFromElsewhere({ headers }) {
  return ['cross-site', 'same-site'].includes(headers['sec-fetch-site']);
}

/** Returns whether a page of this service made the request: by one of its names and the same port. */
function isOwnOrigin(origin, req, names) {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || url.origin !== origin || !/^https?:$/.test(url.protocol)) return false;
  return names.has(url.hostname) && portOf(url) === portOf(new URL(`${url.protocol}//${req.headers.host}`));
}

function portOf({ protocol, port }) {
  return port || (protocol === 'https:' ? '443' : '80');
}

module.exports = { guard, inUrl, isLoopback };

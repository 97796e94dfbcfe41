/** Connections to addresses that a company gave: only public ones, checked at the moment of connecting; and HTTP requests to them. */
import { type LookupAddress, lookup } from 'node:dns'
import { lookup as lookupAll } from 'node:dns/promises'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** The name means an address inside a network, which an outside request must not reach. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
}

/** Networks that are not public: RFC 6890 and its successors. IPv4 in IPv6 notations is refused as a whole. */
const privateNetworks = networks(
  ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
  ['::/96', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
  ['5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
)

function networks(...lists: readonly (readonly string[])[]): BlockList {
  const list = new BlockList()
  for (const network of lists.flat()) {
    const [address = '', prefix = ''] = network.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

const within = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * What is wrong with an address as it is written: nothing is resolved. `allowed` are networks, such as 10.1.0.0/16, in which the
 * deployment permits receivers; only there plain HTTP, numbers instead of names and any port are accepted.
 */
export function addressProblem(url: string, allowed: readonly string[]): 'unreadable' | 'not_https' | 'not_public' | undefined {
  const read = URL.parse(url)
  if (!read || !['http:', 'https:'].includes(read.protocol) || read.username || read.password) return 'unreadable'
  const host = read.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && within(networks(allowed), host)) return undefined
  if (read.protocol !== 'https:') return allowed.length > 0 && !isIP(host) ? undefined : 'not_https'
  const port = Number(read.port || 443)
  if (isIP(host) || host.endsWith('.') || !host.includes('.') || (port !== 443 && port < 1_024)) return 'not_public'
  return undefined
}

/** Whether a host as it is written can be a public one; names are resolved when a connection is opened. */
export function mayBeOutside(host: string, allowed: readonly string[]): boolean {
  if (isIP(host)) return within(networks(allowed), host)
  return !host.endsWith('.') && (host.includes('.') || allowed.length > 0)
}

export interface OutsideAddress {
  address: string
  /** It lies in a network that the deployment permits. */
  allowed: boolean
}

/** The address to which a connection to this host may be opened. Throws the resolver's error, or `PrivateAddressError`. */
export async function resolveOutside(host: string, allowedNetworks: readonly string[]): Promise<OutsideAddress> {
  const allowed = networks(allowedNetworks)
  const addresses = await lookupAll(host, { family: 0, all: true })
  const refused = addresses.find(({ address }) => !within(allowed, address) && within(privateNetworks, address))
  const [first] = addresses
  if (refused || !first) throw new PrivateAddressError(`${host} resolves to a private address`)
  return { address: first.address, allowed: addresses.every(({ address }) => within(allowed, address)) }
}

export interface HttpAnswer {
  status: number
  /** The start of the answer. */
  text: string
  retry_after: string | undefined
}

const mostRead = 65_536
const mostKept = 4_096

/** Sends one POST over a connection of its own and follows no redirect. Throws when there is no answer, or for a private address. */
export function postOutside(
  url: string,
  {
    headers,
    body,
    signal,
    allowedNetworks,
  }: { headers: Record<string, string>; body: string; signal: AbortSignal; allowedNetworks: readonly string[] },
): Promise<HttpAnswer> {
  const problem = addressProblem(url, allowedNetworks)
  if (problem !== undefined) return Promise.reject(new PrivateAddressError(`${url} is not a public address`))
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>()
  const plain = url.startsWith('http:')
  const send = (plain ? httpRequest : httpsRequest)(
    url,
    {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal,
      lookup: publicLookup(networks(allowedNetworks), plain),
    },
    answer => {
      const parts: Buffer[] = []
      let read = 0
      const done = () =>
        resolve({
          status: answer.statusCode ?? 0,
          text: Buffer.concat(parts).subarray(0, mostKept).toString('utf8').replaceAll('\0', ''),
          retry_after: answer.headers['retry-after'],
        })
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        read += part.length
        if (read < mostRead) return
        done()
        answer.destroy()
      })
      answer.on('end', done)
      answer.on('error', reject)
    },
  )
  send.on('error', error => reject(signal.aborted && signal.reason instanceof Error ? signal.reason : error))
  send.end(body)
  return promise
}

/** Bytes of an answer that `fetchOutside` reads by default. */
const mostFetched = 1_000_000

/** Fetches like `fetch`, over a connection of its own and following no redirect. Throws for a private address and for a large answer. */
export function fetchOutside(
  url: string,
  init: {
    method: string
    headers: Record<string, string>
    body: string | undefined
    signal: AbortSignal
    allowedNetworks: readonly string[]
    /** Bytes. */
    most?: number
  },
): Promise<Response> {
  const { method, headers, body, signal, allowedNetworks, most = mostFetched } = init
  if (addressProblem(url, allowedNetworks) !== undefined) return Promise.reject(new PrivateAddressError(`${url} is not a public address`))
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const plain = url.startsWith('http:')
  const send = (plain ? httpRequest : httpsRequest)(
    url,
    {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal,
      lookup: publicLookup(networks(allowedNetworks), plain),
    },
    answer => {
      const parts: Buffer[] = []
      let read = 0
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        read += part.length
        if (read > most) answer.destroy(new Error(`${url} answers more than ${most} bytes`))
      })
      answer.on('end', () => {
        const status = answer.statusCode ?? 500
        const bytes = new Uint8Array(Buffer.concat(parts))
        const received = new Headers()
        for (const [name, value] of Object.entries(answer.headers)) if (typeof value === 'string') received.set(name, value)
        resolve(new Response([204, 205, 304].includes(status) ? null : bytes, { status, headers: received }))
      })
      answer.on('error', reject)
    },
  )
  send.on('error', error => reject(signal.aborted && signal.reason instanceof Error ? signal.reason : error))
  send.end(body)
  return promise
}

/** Resolves a name to the addresses that may be connected to: one private answer refuses them all. Plain HTTP stays in allowed networks. */
function publicLookup(allowed: BlockList, plain: boolean): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { family: 0, all: true }, (error: Error | null, addresses: LookupAddress[]) => {
      const refused = addresses?.find(({ address }) => !within(allowed, address) && (plain || within(privateNetworks, address)))
      if (error || !addresses[0]) return callback(error, '')
      if (refused) return callback(new PrivateAddressError(`${hostname} resolves to a private address`), '')
      if (options.all) return callback(null, addresses)
      return callback(null, addresses[0].address, addresses[0].family)
    })
}

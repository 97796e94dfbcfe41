/** Addresses of printers and names of queues that a person may give to the CUPS of a device. */

/** Schemes of the backends of CUPS: `usb` and `dnssd` are found, the others are typed. Source: lpinfo(8) and "Network printers" of the CUPS 2.4 help. */
const networkSchemes = ['ipp', 'ipps', 'socket', 'lpd']
const foundSchemes = ['usb', 'dnssd']

export const queueName = /^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,59}$/

const ownNetwork = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.)/
const localDomains = ['.local', '.lan', '.home.arpa']
const number = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** Why a printer cannot be reached at this address; undefined where it can. Hosts are numbers of a private network or names without a public domain. */
export function printerAddressProblem(address: string): 'unreadable' | 'scheme' | 'public' | undefined {
  if (address.length > 300 || /[\s\p{C}]/u.test(address)) return 'unreadable'
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.+)$/.exec(address) ?? []
  if (foundSchemes.includes(scheme)) return undefined
  if (!networkSchemes.includes(scheme)) return scheme === '' ? 'unreadable' : 'scheme'
  const url = URL.parse(`http://${rest}`)
  if (!url) return 'unreadable'
  // A name and password would stand in plain text in every list.
  if (url.username !== '' || url.password !== '' || url.hostname.startsWith('[')) return 'unreadable'
  const host = url.hostname.toLowerCase()
  if (number.test(host)) return ownNetwork.test(host) ? undefined : 'public'
  const isLocalName = !host.includes('.') || localDomains.some(domain => host.endsWith(domain))
  // The device itself is no printer.
  return isLocalName && host !== 'localhost' ? undefined : 'public'
}

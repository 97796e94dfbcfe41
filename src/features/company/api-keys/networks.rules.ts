/** Networks such as 192.0.2.0/24, as people write them. */

const part = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`
const ipv4 = new RegExp(`^${part}(?:\\.${part}){3}$`)

const isIpv6 = (text: string): boolean => /^[\da-f:]{2,39}$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`)

/** An address or a network, IPv4 or IPv6. One that holds every address is none. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = ipv4.test(address) ? 32 : isIpv6(address) ? 128 : 0
  if (bits === 0 || rest.length > 0) return false
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits)
}

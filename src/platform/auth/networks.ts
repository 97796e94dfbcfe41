/** Networks such as 10.1.0.0/16 in which an address may lie. */
import { BlockList, isIP } from 'node:net'

export function inNetworks(networks: readonly string[], ip: string): boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  // IPv4 inside IPv6 is IPv4 to it.
  return list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

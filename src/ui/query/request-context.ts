/** Where the calls go and as whom: the company of the host name, the address of the API, the header with the token. */
import { device } from '#ui/device/device-storage.ts'

/** The company is the first label of the host name. */
export const companyOfHost = (host: string = location.hostname): string => host.split('.')[0] ?? ''

/** The origin of the API: this page's, unless the deployment named another. */
export const apiHost = (): string => (device.read('api-host') ?? location.origin).replace(/\/$/, '')

/** The token goes raw into the header, never into an address. */
export const authorization = (): Record<string, string> => {
  const token = device.read('user-token')
  return token === undefined ? {} : { authorization: token }
}

/** Which station this device is, so that everything is written down with its place. */
export const stationHeader = (): Record<string, string> => {
  const station = device.read('packingStation')
  return station === undefined ? {} : { 'x-packing-station': encodeURIComponent(station) }
}

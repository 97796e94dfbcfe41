/**
 * Which devices a page may use. The browser keeps the `Permissions-Policy` of the document that it loaded, whatever screen the router shows in it:
 * https://www.w3.org/TR/permissions-policy/
 */

const policies = {
  /** Scales, and the camera. */
  station: 'hid=(self), serial=(self), camera=(self)',
  camera: 'hid=(), serial=(), camera=(self)',
  none: 'hid=(), serial=(), camera=()',
} as const

export type DevicePolicy = keyof typeof policies

const paths: Readonly<Record<Exclude<DevicePolicy, 'none'>, readonly string[]>> = {
  station: ['/', '/scan'],
  /** Screens on which the camera reads codes. */
  camera: ['/pick', '/lists/pick/tasks', '/lists/collect/scan', '/parcels/shipments'],
}
export const devicePaths = (['station', 'camera'] as const).map(policy => ({ policy, paths: paths[policy] }))

export function devicePolicyOf(path: string): DevicePolicy {
  const plain = path.replace(/\/+$/, '') || '/'
  return devicePaths.find(one => one.paths.includes(plain))?.policy ?? 'none'
}

/** The header of a document that is loaded from here. */
export const permissionsPolicy = (policy: DevicePolicy): string => policies[policy]

/**
 * Whether a screen needs a document of its own: it uses a device that the loaded document must not, or one of both is the station. A document
 * that may use the camera shows the other screens too, so that a page load is waited for once.
 */
export function needsNewDocument(loaded: DevicePolicy, wanted: DevicePolicy): boolean {
  return loaded !== wanted && (wanted !== 'none' || loaded === 'station')
}

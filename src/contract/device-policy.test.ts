import { expect, it } from 'vitest'
import { type DevicePolicy, devicePolicyOf, needsNewDocument, permissionsPolicy } from './device-policy.ts'

it('allows scales at the station only, and the camera where it reads codes', () => {
  const header = (path: string) => permissionsPolicy(devicePolicyOf(path))
  for (const path of ['/', '/scan', '/scan/']) expect(header(path), path).toBe('hid=(self), serial=(self), camera=(self)')
  for (const path of ['/pick', '/lists/pick/tasks', '/lists/collect/scan', '/parcels/shipments/'])
    expect(header(path), path).toBe('hid=(), serial=(), camera=(self)')
  for (const path of ['/dashboard', '/login', '/settings/printer', '/parcels/shipments/new', '/scans', '/index.html'])
    expect(header(path), path).toBe('hid=(), serial=(), camera=()')
})

it.each<[DevicePolicy, DevicePolicy, boolean]>([
  ['station', 'station', false],
  ['station', 'camera', true],
  ['station', 'none', true],
  ['camera', 'station', true],
  ['camera', 'camera', false],
  ['camera', 'none', false],
  ['none', 'station', true],
  ['none', 'camera', true],
  ['none', 'none', false],
])('loads a page anew from %s to %s: %s', (loaded, wanted, anew) => {
  expect(needsNewDocument(loaded, wanted)).toBe(anew)
})

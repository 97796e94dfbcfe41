import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storage } from '#test/storage.ts'

vi.stubGlobal('localStorage', storage())
const { device } = await import('./device-storage.ts')
const { consoleHelpers } = await import('./console.ts')

beforeEach(() => localStorage.clear())

describe('what the device remembers', () => {
  it('stands under the keys of the specification', () => {
    device.write('user-token', 'abc')
    device.write('packingStation', 'Bench 3')
    device.write('printer', { A4Printer: 4, labelPrinter: null })
    expect(localStorage.getItem('user-token')).toBe('abc')
    expect(localStorage.getItem('packingStation')).toBe('Bench 3')
    expect(JSON.parse(localStorage.getItem('printer') ?? '')).toEqual({ A4Printer: 4, labelPrinter: null })
  })

  it('is absent when somebody wrote nonsense there', () => {
    localStorage.setItem('printer', '{"A4Printer": "no"}')
    localStorage.setItem('user', '{')
    localStorage.setItem('api-host', 'javascript:alert(1)')
    localStorage.setItem('packingStation', 'x'.repeat(21))
    for (const key of ['printer', 'user', 'api-host', 'packingStation'] as const) expect(device.read(key), key).toBeUndefined()
  })

  it('gives the same object until it changes', () => {
    device.write('printer', { A4Printer: 4, labelPrinter: 5 })
    expect(device.read('printer')).toBe(device.read('printer'))
  })

  it('keeps at logout what belongs to the device, and forgets the person', () => {
    const kept = { locale: 'da_DK', printer: '{}', dvr: '{}', senderAddress: '{}', packingStation: 'B', scanner: '{}' }
    const gone = { user: '{}', 'user-token': 't', 'api-host': 'http://x', IP: '{}', init: '{}', theme: 'dark', views: '{}' }
    for (const [key, text] of Object.entries({ ...kept, ...gone })) localStorage.setItem(key, text)
    device.logout()
    for (const key of Object.keys(kept)) expect(localStorage.getItem(key), key).not.toBeNull()
    for (const key of Object.keys(gone)) expect(localStorage.getItem(key), key).toBeNull()
  })
})

describe('the console helpers', () => {
  it('set the printers and the station of this device', () => {
    consoleHelpers.setA4Printer(12)
    consoleHelpers.setLabelPrinter(34)
    consoleHelpers.setPackingStation('  Bench 3 ')
    expect(device.read('printer')).toEqual({ A4Printer: 12, labelPrinter: 34 })
    expect(device.read('packingStation')).toBe('Bench 3')
  })

  it('refuse what is no printer and no station', () => {
    expect(() => consoleHelpers.setA4Printer(1.5)).toThrow('whole number')
    expect(() => consoleHelpers.setPackingStation('')).toThrow('1 to 20 characters')
    expect(device.read('packingStation')).toBeUndefined()
  })

  it('forget with null', () => {
    consoleHelpers.setLabelPrinter(34)
    consoleHelpers.setLabelPrinter(null)
    expect(device.read('printer')).toEqual({ A4Printer: null, labelPrinter: null })
  })
})

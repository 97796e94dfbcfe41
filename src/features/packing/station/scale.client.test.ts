/** A USB scale and one at a serial port, by fakes of the browser that send the bytes of documented scales. */
import { describe, expect, it } from 'vitest'
import { openScale } from './scale.client.ts'
import { type FakePort, fakeHid, fakeSerial } from './scale.fake.ts'

let clock = 0
const now = () => (clock += 100)

describe('a USB scale', () => {
  it('is offered by the button, and weighs once three readings agree', async () => {
    const hid = fakeHid()
    const scale = openScale({ hid }, now)
    expect(scale.read().state).toBe('none')
    await scale.connect()
    expect(hid.asked).toEqual([{ usagePage: 0x8d }])
    hid.send(0x03, 0x02, 0x00, 0xd0, 0x04)
    expect(scale.read()).toMatchObject({ state: 'ready', weight_g: 1_232, stable: false })
    for (let i = 0; i < 3; i++) hid.send(0x04, 0x02, 0x00, 0xd2, 0x04)
    expect(scale.read()).toMatchObject({ weight_g: 1_234, stable: true, problem: null })
    hid.send(0x06, 0x02, 0x00, 0xff, 0xff)
    expect(scale.read()).toMatchObject({ weight_g: null, stable: false, problem: 'Too heavy for the scale' })
  })

  it('is taken up again when the page is loaded anew, and when it comes back', async () => {
    const hid = fakeHid({ allowed: true })
    const scale = openScale({ hid }, now)
    await scale.restore()
    expect(scale.read().state).toBe('ready')
    hid.unplug()
    expect(scale.read()).toMatchObject({ state: 'away', weight_g: null })
    hid.plug()
    await expect.poll(() => scale.read().state).toBe('ready')
  })

  it('is not taken for one where another device was allowed', async () => {
    const scale = openScale({ hid: fakeHid({ allowed: true, usagePage: 1 }) }, now)
    await scale.restore()
    expect(scale.read().state).toBe('none')
  })
})

describe('a scale at a serial port', () => {
  const weighs = async (port: FakePort, text: string) => {
    await expect.poll(() => port.asked()).toBe('SI\r\n')
    port.send(text)
  }

  it('is asked again and again, and read however its bytes come', async () => {
    const serial = fakeSerial()
    const scale = openScale({ serial }, now)
    await scale.connect()
    expect(serial.port.opened).toEqual({ baudRate: 9_600 })
    await weighs(serial.port, 'S D     0.2')
    await weighs(serial.port, '00 kg\r\nS S     0.480 kg\r\nS S     0.480 kg\r\nS S ')
    await weighs(serial.port, '    0.480 kg\r\n')
    await expect.poll(() => scale.read()).toMatchObject({ weight_g: 480, stable: true })
    serial.port.unplug()
    await expect.poll(() => scale.read().state).toBe('away')
  })

  it('is offered where no USB scale is chosen', async () => {
    const serial = fakeSerial()
    const scale = openScale({ hid: fakeHid({ chooses: false }), serial }, now)
    await scale.connect()
    expect(scale.read().state).toBe('ready')
  })
})

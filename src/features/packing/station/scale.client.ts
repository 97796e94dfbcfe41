/** The scale of this device, over WebHID or Web Serial. Both need a page that is allowed to use them, and a press of a person once. */
import type { ScaleReading } from './packing-model.rules.ts'
import { lineReader, readHidReport, readSics, type ScaleValue, settler } from './scale-protocols.rules.ts'

interface HidDevice {
  readonly opened: boolean
  readonly collections: readonly { usagePage?: number }[]
  open(): Promise<void>
  addEventListener(type: 'inputreport', listener: (event: { data: DataView }) => void): void
}
interface Hid {
  getDevices(): Promise<HidDevice[]>
  requestDevice(asked: { filters: readonly { usagePage: number }[] }): Promise<HidDevice[]>
  addEventListener(type: 'connect' | 'disconnect', listener: (event: { device: HidDevice }) => void): void
}
interface Port {
  readonly readable: ReadableStream<Uint8Array> | null
  readonly writable: WritableStream<Uint8Array> | null
  open(options: { baudRate: number }): Promise<void>
}
interface Serial {
  getPorts(): Promise<Port[]>
  requestPort(): Promise<Port>
  addEventListener(type: 'connect', listener: () => void): void
}
declare global {
  /** Absent where the browser or the page does not allow them. */
  interface Navigator {
    readonly hid?: Hid
    readonly serial?: Serial
  }
}
export type ScalePorts = Pick<Navigator, 'hid' | 'serial'>

/** HID Usage Tables: weighing devices. */
const weighingPage = 0x8d
/** Usual of MT-SICS: 9600 baud, 8 data bits, no parity, 1 stop bit. */
const baudRate = 9_600
/** Milliseconds. */
const askEvery = 100

const problems: Readonly<Record<ScaleValue['state'], string | null>> = {
  stable: null,
  moving: null,
  over: 'Too heavy for the scale',
  under: 'The scale is below zero. Empty it and set it to zero.',
  fault: 'The scale reports a fault',
}

export type Scale = ReturnType<typeof openScale>

/** One scale at a time: the last that was connected. */
export function openScale({ hid, serial }: ScalePorts, now: () => number = Date.now) {
  let reading: ScaleReading = { state: 'none', weight_g: null, stable: false, problem: null }
  const listeners = new Set<() => void>()
  let current: object | undefined

  function show(next: ScaleReading) {
    reading = next
    for (const listener of listeners) listener()
  }
  const ready = () => show({ state: 'ready', weight_g: null, stable: false, problem: null })
  function away(device: object) {
    if (device === current) show({ state: 'away', weight_g: null, stable: false, problem: 'The scale is away' })
  }

  /** Shows what this device sends, as long as it is the one in use. */
  function readerOf(device: object): (value: ScaleValue | undefined) => void {
    current = device
    ready()
    const settle = settler()
    return value => {
      if (!value || device !== current) return
      const { weight_g, stable, state } = settle(value, now())
      show({ state: 'ready', weight_g, stable, problem: problems[state] })
    }
  }

  const isScale = (device: HidDevice) => device.collections.some(({ usagePage }) => usagePage === weighingPage)

  async function attachHid(device: HidDevice): Promise<void> {
    if (!device.opened) await device.open()
    const take = readerOf(device)
    device.addEventListener('inputreport', ({ data }) => take(readHidReport(data)))
  }

  async function attachPort(port: Port): Promise<void> {
    if (!port.readable) await port.open({ baudRate })
    const reader = port.readable?.getReader()
    const writer = port.writable?.getWriter()
    if (!reader) return
    const take = readerOf(port)
    const ask = new TextEncoder().encode('SI\r\n')
    const timer = setInterval(() => void writer?.write(ask).catch(() => undefined), askEvery)
    const lines = lineReader()
    void (async () => {
      try {
        for (;;) {
          const { value, done } = await reader.read()
          if (done) break
          for (const line of lines(value)) take(readSics(line))
        }
      } catch {
        // Unplugged: what follows is the same as at the end of the stream.
      }
      clearInterval(timer)
      reader.releaseLock()
      writer?.releaseLock()
      away(port)
    })()
  }

  /** Takes up a scale that was allowed before. */
  async function restore(): Promise<void> {
    if (reading.state === 'ready') return
    try {
      const device = (await hid?.getDevices())?.find(isScale)
      if (device) return await attachHid(device)
      const [port] = (await serial?.getPorts()) ?? []
      if (port) await attachPort(port)
    } catch {
      // Another program has it; the button tries again.
    }
  }

  hid?.addEventListener('disconnect', ({ device }) => away(device))
  hid?.addEventListener('connect', () => void restore())
  serial?.addEventListener('connect', () => void restore())

  return {
    read: () => reading,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    restore,
    /** By a press: first the USB scales are offered, then the serial ports. Throws what the browser says. */
    async connect(): Promise<void> {
      const [device] = hid ? await hid.requestDevice({ filters: [{ usagePage: weighingPage }] }) : []
      if (device) return attachHid(device)
      if (serial) await attachPort(await serial.requestPort())
    },
  }
}

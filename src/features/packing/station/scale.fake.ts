/** `navigator.hid` and `navigator.serial` with one scale each. */
import type { ScalePorts } from './scale.client.ts'

type Hid = NonNullable<ScalePorts['hid']>
type Device = Awaited<ReturnType<Hid['getDevices']>>[number]
type Serial = NonNullable<ScalePorts['serial']>

/** `allowed`: a person chose it before. `chooses`: a person takes it when it is offered. */
export function fakeHid({ allowed = false, chooses = true, usagePage = 0x8d } = {}) {
  const reports = new Set<(event: { data: DataView }) => void>()
  const plugs = { connect: new Set<(event: { device: Device }) => void>(), disconnect: new Set<(event: { device: Device }) => void>() }
  let opened = false
  let known = allowed
  const device: Device = {
    get opened() {
      return opened
    },
    collections: [{ usagePage }],
    open: async () => {
      opened = true
    },
    addEventListener: (_, listener) => reports.add(listener),
  }
  const asked: { usagePage: number }[] = []
  const hid: Hid = {
    getDevices: async () => (known ? [device] : []),
    async requestDevice({ filters }) {
      asked.push(...filters)
      known ||= chooses
      return chooses ? [device] : []
    },
    addEventListener: (type, listener) => plugs[type].add(listener),
  }
  return {
    ...hid,
    asked,
    send(...bytes: number[]) {
      for (const report of reports) report({ data: new DataView(new Uint8Array(bytes).buffer) })
    },
    unplug() {
      opened = false
      for (const listener of plugs.disconnect) listener({ device })
    },
    plug() {
      for (const listener of plugs.connect) listener({ device })
    },
  }
}

export type FakePort = ReturnType<typeof fakePort>

function fakePort() {
  let answer: ReadableStreamDefaultController<Uint8Array> | undefined
  let opened: { baudRate: number } | undefined
  let last = ''
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      answer = controller
    },
  })
  const writable = new WritableStream<Uint8Array>({
    write(bytes) {
      last = new TextDecoder().decode(bytes)
    },
  })
  return {
    get opened() {
      return opened
    },
    get readable() {
      return opened ? readable : null
    },
    get writable() {
      return opened ? writable : null
    },
    open: async (options: { baudRate: number }) => {
      opened = options
    },
    /** What it was asked last. */
    asked: () => last,
    send: (text: string) => answer?.enqueue(new TextEncoder().encode(text)),
    unplug: () => answer?.close(),
  }
}

export function fakeSerial() {
  const port = fakePort()
  const serial: Serial = { getPorts: async () => [], requestPort: async () => port, addEventListener: () => undefined }
  return { ...serial, port }
}

/** Console helpers of the specification (section 9): a technician sets a device's printers and station without a screen. */
import { stationName } from '#contract/limits.ts'
import { device } from './device-storage.ts'

export interface ConsoleHelpers {
  /** `setA4Printer(1234)`: the PrintNode id of the printer for slips and lists; `null` forgets it. */
  setA4Printer: (id: number | null) => string
  /** `setLabelPrinter(1234)`: the PrintNode id of the printer for labels; `null` forgets it. */
  setLabelPrinter: (id: number | null) => string
  /** `setPackingStation('Bench 1')`: up to 20 characters; `null` forgets it. */
  setPackingStation: (name: string | null) => string
}

const setPrinter = (which: 'A4Printer' | 'labelPrinter') => (id: number | null) => {
  if (id !== null && !(Number.isSafeInteger(id) && id > 0)) throw new TypeError('A printer id is a whole number above 0, or null')
  device.write('printer', { A4Printer: null, labelPrinter: null, ...device.read('printer'), [which]: id })
  return id === null ? `${which} is forgotten` : `${which} is ${id}`
}

export const consoleHelpers: ConsoleHelpers = {
  setA4Printer: setPrinter('A4Printer'),
  setLabelPrinter: setPrinter('labelPrinter'),
  setPackingStation: name => {
    if (name === null) {
      device.forget('packingStation')
      return 'The packing station is forgotten'
    }
    const station = stationName(name)
    if (station === undefined) throw new TypeError('A packing station is 1 to 20 characters, or null')
    device.write('packingStation', station)
    return `The packing station is ${station}`
  },
}

declare global {
  interface Window extends ConsoleHelpers {}
}

export const offerConsoleHelpers = (): void => {
  Object.assign(window, consoleHelpers)
}

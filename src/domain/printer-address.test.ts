/** Which addresses and names the CUPS of a device may be given. */
import { describe, expect, it } from 'vitest'
import { printerAddressProblem, queueName } from './printer-address.ts'

describe('the address of a printer', () => {
  it.each([
    ['ipp://192.168.1.50/ipp/print', undefined],
    ['ipps://zebra.local:631/ipp/print', undefined],
    ['socket://10.0.0.9:9100', undefined],
    ['socket://172.31.4.4', undefined],
    ['lpd://labelprinter/queue', undefined],
    ['usb://Zebra/ZD420?serial=D2J1', undefined],
    ['dnssd://Office%20LaserJet._ipp._tcp.local/', undefined],
    ['socket://203.0.113.9:9100', 'public'],
    ['ipp://printer.example.com/ipp', 'public'],
    ['ipp://localhost:631/printers/x', 'public'],
    ['socket://127.0.0.1:9100', 'public'],
    ['socket://172.32.0.1', 'public'],
    ['file:///etc/passwd', 'scheme'],
    ['http://192.168.1.50/', 'scheme'],
    ['beh:/1/3/5/socket://192.168.1.50', 'unreadable'],
    ['socket://user:secret@192.168.1.50', 'unreadable'],
    ['socket://192.168.1.50 -o raw', 'unreadable'],
    ['', 'unreadable'],
  ] as const)('%s: %s', (address, problem) => {
    expect(printerAddressProblem(address)).toBe(problem)
  })
})

describe('the name of a queue', () => {
  it.each([
    ['Zebra_ZD420', true],
    ['label-1.b', true],
    ['-o', false],
    ['a;b', false],
    ['a b', false],
    ['', false],
    ['x'.repeat(61), false],
  ])('%s is one: %s', (name, is) => {
    expect(queueName.test(name)).toBe(is)
  })
})

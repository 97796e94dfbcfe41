/** Who gets a scan. */
import { describe, expect, it } from 'vitest'
import { readCode } from '#domain/codes.ts'
import type { Scan } from './keyboard-wedge.ts'
import { createRegistry, type Layer } from './registry.ts'

function bench() {
  const heard: string[] = []
  const failed: unknown[] = []
  const registry = createRegistry(error => failed.push(error))
  const add = (name: string, layer: Layer, pattern = /./) =>
    registry.add(layer, {
      match: code => pattern.exec(code.text)?.[0],
      handle: match => {
        heard.push(`${name} ${match}`)
      },
    })
  const scan = (text: string) => registry.offer(readCode(text), { text, raw: text, keys: [], at: 0, gap: 8 } satisfies Scan)
  return { registry, add, scan, heard, failed }
}

describe('a scan', () => {
  it('goes to the dialog before the screen, and to the screen before the program, no matter who came first', () => {
    const { add, scan, heard } = bench()
    add('global', 'global')
    const close = add('dialog', 'dialog')
    add('screen', 'screen')
    scan('1')
    close()
    scan('2')
    expect(heard).toEqual(['dialog 1', 'screen 2'])
  })

  it('goes to the newest handler of a layer, and to one only', () => {
    const { add, scan, heard } = bench()
    add('old', 'screen')
    add('new', 'screen')
    scan('1')
    expect(heard).toEqual(['new 1'])
  })

  it('passes handlers to which it means nothing, and may mean nothing to any', () => {
    const { add, scan, heard } = bench()
    add('order', 'screen', /^\d+:/)
    add('badge', 'global', /^U/)
    expect([scan('U1'), scan('1:'), scan('x')]).toEqual([true, true, false])
    expect(heard).toEqual(['badge U', 'order 1:'])
  })

  it('is spent when its handler fails, at once or later, and the next scan works', async () => {
    const { registry, add, scan, heard, failed } = bench()
    add('below', 'global')
    const early = registry.add('screen', {
      match: () => true,
      handle: () => {
        throw new Error('early')
      },
    })
    expect(scan('1')).toBe(true)
    early()
    const late = registry.add('screen', { match: () => true, handle: () => Promise.reject(new Error('late')) })
    expect(scan('2')).toBe(true)
    await Promise.resolve()
    await Promise.resolve()
    late()
    scan('3')
    expect(failed.map(String)).toEqual(['Error: early', 'Error: late'])
    expect(heard).toEqual(['below 3'])
  })
})

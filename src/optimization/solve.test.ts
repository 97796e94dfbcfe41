/** The JSON lines interface: every question has its answer, in order, for any input. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PlanPiece, planFaults } from '#test/packing-plan.ts'
import type { ItemToFill } from './boxes/fill.ts'
import { answerTo, solveLimits, solveLines } from './solve.ts'

const root = join(import.meta.dirname, '../..')

async function answersTo(...chunks: (string | Uint8Array)[]): Promise<unknown[]> {
  const answers: unknown[] = []
  for await (const line of solveLines(
    (async function* () {
      yield* chunks
    })(),
  )) {
    expect(line.endsWith('\n')).toBe(true)
    answers.push(JSON.parse(line))
  }
  return answers
}

const blocks = { kind: 'route-blocks', aisles: 3, aisleGap: 2, crossAisleY: [0, 10], depot: [0, 0], picks: [[1, 4]] }
const map = { kind: 'route-map', grid: ['...', '.#.', '...'], depot: [0, 0], picks: [[2, 1]] }

const batch = {
  ...{ kind: 'batch', aisles: 2, cells: 5, aisleGap: 2, cellGap: 1, endGap: 1, depot: [0, 'bottom'], capacity: 3, limit_ms: 100 },
  orders: [[[0, 1, 2]], [[1, 4, 2]], [[0, 0, 1]]],
}

const crates = {
  ...{ kind: 'crates', boxes: [{ name: 'B4', inner: [300, 200, 100], max_weight: 2_000, tare: 90, cost: 12 }] },
  items: [{ id: 'SKU-1', size: [300, 200, 50], weight: 900, qty: 2, keep_flat: true }],
}

describe('JSON lines', () => {
  it('are answered with the same id, in the order of the questions', async () => {
    const answers = await answersTo(`${JSON.stringify({ id: 'a', ...blocks })}\n${JSON.stringify({ id: 7, ...map })}\n`)
    expect(answers).toEqual([
      { id: 'a', tour: [[1, 4]], length: 12 },
      { id: 7, tour: [[2, 1]], length: 6 },
    ])
  })

  it('may set another end of a tour', () => {
    expect(JSON.parse(answerTo(JSON.stringify({ id: 1, ...blocks, end: [2, 10] })))).toEqual({ id: 1, tour: [[1, 4]], length: 14 })
    expect(JSON.parse(answerTo(JSON.stringify({ id: 1, ...map, end: [2, 2] })))).toEqual({ id: 1, tour: [[2, 1]], length: 4 })
  })

  it('batch orders, up to a limit of memory', () => {
    const { batches, length } = JSON.parse(answerTo(JSON.stringify({ id: 1, ...batch }))) as { batches: number[][]; length: number }
    expect(batches.map(one => one.toSorted()).sort()).toEqual([[0, 2], [1]])
    expect(length).toBe(2 * 2 + 2 * 2 + 2 * 5)
    const { error } = JSON.parse(answerTo(JSON.stringify({ id: 1, ...batch, capacity: 1 }))) as { error: string }
    expect(error).toContain('Order 0 weighs 2')
    const vast = { ...batch, aisles: 10_000, cells: 10_000, orders: Array.from({ length: 1_000 }, () => [[0, 0, 1]]) }
    expect(answerTo(JSON.stringify({ id: 1, ...vast }))).toContain('Too many for so large a block')
  })

  it('pack crates, up to a limit of pieces, and reject a piece that fits nowhere', () => {
    const packed = (z: number) => ({ id: 'SKU-1', at: [0, 0, z], size: [300, 200, 50] })
    const answer = { id: 1, crates: [{ box: 'B4', items: [packed(0), packed(50)] }], cost: 12 }
    expect(JSON.parse(answerTo(JSON.stringify({ id: 1, ...crates })))).toEqual(answer)
    const [item] = crates.items
    const refused = (change: object) => answerTo(JSON.stringify({ id: 1, ...crates, items: [{ ...item, ...change }] }))
    expect(refused({ size: [301, 200, 50] })).toContain('No box holds item SKU-1 (301 × 200 × 50 mm, 900 g)')
    expect(refused({ size: [300, 0, 50] })).toContain('items[0].size[1]: ')
    const most = { ...item, qty: solveLimits.pieces }
    expect(answerTo(JSON.stringify({ id: 1, ...crates, items: [most, item] }))).toContain('An order may have 1000 pieces at most')
  })

  it('fill a box, up to a limit of pieces, and leave out what has no place', () => {
    const items: ItemToFill[] = [
      { id: 'A', size: [300, 200, 60], qty: 1, keep_flat: true },
      { id: 'B', size: [100, 200, 40], qty: 4 },
    ]
    const question = { id: 1, kind: 'fill', box: { inner: [300, 200, 100] }, items, limit_ms: 50, support: 0.6 }
    const { id, items: packed, share } = JSON.parse(answerTo(JSON.stringify(question))) as { id: number; items: PlanPiece[]; share: number }
    expect({ id, share }).toEqual({ id: 1, share: 1 })
    expect(packed.map(piece => piece.id).toSorted()).toEqual(['A', 'B', 'B', 'B'])
    expect(planFaults({ inner: [300, 200, 100], carries: 0 }, items, packed, 0.6)).toEqual([])
    expect(answerTo(JSON.stringify({ ...question, limit_ms: undefined }))).toBe(
      answerTo(JSON.stringify({ ...question, limit_ms: undefined })),
    )
    const refused = (change: object) => answerTo(JSON.stringify({ ...question, ...change }))
    expect(refused({ support: 0.5 })).toContain('support: ')
    expect(refused({ box: { inner: [300, 0, 100] } })).toContain('box.inner[1]: ')
    expect(refused({ items: [{ ...items[0], qty: solveLimits.pieces }, items[1]] })).toContain('A box may have 1000 pieces at most')
    expect(refused({ items: [] })).toBe('{"id":1,"items":[],"share":0}')
  })

  it.each([
    ['', null, 'This line is not JSON'],
    ['{', null, 'This line is not JSON'],
    ['[1]', null, 'A line must hold one JSON object'],
    ['null', null, 'A line must hold one JSON object'],
    ['{"id":3}', 3, 'kind must be one of'],
    ['{"id":3,"kind":"constructor"}', 3, 'kind must be one of'],
    [JSON.stringify({ id: 'x', ...blocks, picks: [[1, 'high']] }), 'x', 'picks[0][1]: '],
    [JSON.stringify({ id: 'x', ...blocks, aisleGap: -1 }), 'x', 'aisleGap: '],
    [JSON.stringify({ id: 'x', ...blocks, picks: [[9, 1]] }), 'x', 'picks[0] is in aisle 9'],
    [JSON.stringify({ id: 'x', ...map, picks: [[1, 1]] }), 'x', 'picks[0] (1, 1) is a shelf'],
    [JSON.stringify({ id: 'x', ...map, picks: Array.from({ length: solveLimits.picks + 1 }, () => [0, 0]) }), 'x', 'picks: '],
  ])('answers %s with a sentence', (line, id, sentence) => {
    const answer = JSON.parse(answerTo(line)) as { id: unknown; error: string }
    expect(answer.id).toBe(id)
    expect(answer.error).toContain(sentence)
  })

  it('have one answer per line, for any division of the bytes into chunks', async () => {
    const text = `${JSON.stringify({ id: 'søm', ...blocks })}\r\n\nnonsense\n${JSON.stringify({ id: 2, ...map })}`
    const bytes = new TextEncoder().encode(text)
    const whole = await answersTo(text)
    expect(whole).toHaveLength(4)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async cuts => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
        expect(await answersTo(...edges.slice(1).map((end, index) => bytes.subarray(edges[index], end)))).toEqual(whole)
      }),
      { numRuns: 50 },
    )
  })

  it('are rejected when too long, and the next is answered', async () => {
    const part = 'x'.repeat(1_000_000)
    const answers = await answersTo(...Array.from({ length: 9 }, () => part), '\n', JSON.stringify({ id: 2, ...map }))
    expect(answers).toEqual([
      { id: null, error: `A line may have ${solveLimits.line_bytes} bytes at most` },
      { id: 2, tour: [[2, 1]], length: 6 },
    ])
  })

  it('are answered for any JSON', () => {
    const kind = fc.constantFrom('route-blocks', 'route-map', 'batch', 'crates', 'fill')
    fc.assert(
      fc.property(
        fc.oneof(fc.json(), fc.record({ id: fc.integer(), kind, grid: fc.jsonValue(), picks: fc.jsonValue(), orders: fc.jsonValue() })),
        line => {
          const answer = JSON.parse(answerTo(typeof line === 'string' ? line : JSON.stringify(line))) as object
          expect(answer).toHaveProperty('id')
        },
      ),
      { numRuns: 500 },
    )
  })

  it('are answered by the command before the input ends, with no other output and exit code 0', async () => {
    const command = spawn(process.execPath, [join(root, 'scripts/solve.ts')], { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] })
    const ended = new Promise(resolve => command.on('exit', resolve))
    let noise = ''
    command.stderr.on('data', text => {
      noise += text
    })
    let answers = ''
    const firstAnswer = new Promise<void>(resolve =>
      command.stdout.on('data', text => {
        answers += text
        resolve()
      }),
    )
    command.stdin.write(`${JSON.stringify({ id: 1, ...blocks })}\n`)
    await firstAnswer
    command.stdin.end('not a question')
    expect(await ended).toBe(0)
    expect(
      answers
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual([
      { id: 1, tour: [[1, 4]], length: 12 },
      { id: null, error: 'This line is not JSON' },
    ])
    expect(noise).toBe('')
  })
})

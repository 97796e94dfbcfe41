/** Replay of real baskets: are the suggested boxes the same as, or cheaper than, what a packer would take. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { packCrates } from '#optimization/boxes/crates.ts'
import { newChance } from '#optimization/random/seeded-random.ts'
import { retailMapping } from '#test/online-retail.ts'
import { percentiles, type Row, timed } from '../measure.ts'

type Size = readonly [number, number, number]
const seed = 2026
const baskets = 500
const mostOfOne = 24
/** A packer leaves a quarter of the box free. */
const usedShare = 0.75

const volume = ([a, b, c]: Size): number => a * b * c

/** A number of the text that is the same in each run (FNV-1a). */
function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return hash
}

/** Twelve boxes whose cost grows slower than what they hold. */
const boxes = Array.from({ length: 12 }, (_, n) => {
  const chance = newChance(hashOf(`${seed} box ${n}`))
  const length = Math.round(140 * 1.17 ** n)
  const inner: Size = [length, Math.round(length * (0.6 + 0.3 * chance.next())), Math.round(length * (0.35 + 0.3 * chance.next()))]
  return {
    name: `B${n + 1}`,
    inner,
    max_weight: 30_000,
    tare: 60 + 55 * n,
    cost: Math.round(120 + 9 * (volume(inner) / 1_000_000) ** 0.6 * 100),
  }
})

/** A packer's box is compared by its size alone, so no weight decides. */
function productOf(sku: string): { size: Size; weight: number } {
  const chance = newChance(hashOf(`${seed} ${sku}`))
  const side = () => Math.round(25 + 175 * chance.next() ** 2)
  return { size: [side(), side(), side()], weight: 1 }
}

interface Basket {
  items: { sku: string; qty: number }[]
}

async function realBaskets(file: string): Promise<Basket[]> {
  const rows: Record<string, string>[] = parse(await readFile(file), { columns: true, bom: true, relax_quotes: true })
  const noProduct = new Set((retailMapping.non_products ?? []).map(({ sku }) => sku.toUpperCase()))
  const byInvoice = new Map<string, Map<string, number>>()
  for (const row of rows) {
    const [invoice = '', sku = ''] = [row.InvoiceNo ?? row.Invoice, row.StockCode?.toUpperCase()]
    const qty = Number(row.Quantity)
    if (/^[CA]/i.test(invoice) || noProduct.has(sku) || !/^\d{5}/.test(sku) || !(qty > 0)) continue
    const basket = byInvoice.get(invoice) ?? new Map<string, number>()
    basket.set(sku, Math.min(mostOfOne, (basket.get(sku) ?? 0) + qty))
    byInvoice.set(invoice, basket)
    if (byInvoice.size > baskets) break
  }
  return [...byInvoice.values()].slice(0, baskets).map(basket => ({ items: [...basket].map(([sku, qty]) => ({ sku, qty })) }))
}

export async function crateReplay(): Promise<Row[]> {
  const name = 'online-retail-2010-12.csv'
  const all = await realBaskets(join(process.env.PAKHUS_DATA ?? '../shared/data', name))
  const chance = newChance(seed)
  const took: number[] = []
  let [same, cheaper, dearer, without] = [0, 0, 0, 0]
  for (const { items } of all) {
    const products = items.map(({ sku, qty }) => ({ ...productOf(sku), qty, id: sku }))
    const whole = products.reduce((sum, product) => sum + volume(product.size) * product.qty, 0)
    const longest = Math.max(...products.flatMap(product => product.size))
    const bySize = boxes.toSorted((a, b) => volume(a.inner) - volume(b.inner))
    const fitting = bySize.filter(box => Math.max(...box.inner) >= longest && volume(box.inner) * usedShare >= whole)
    // One packer in ten takes the next larger box.
    const used = fitting[chance.below(10) === 0 ? 1 : 0] ?? fitting[0]
    if (!used) {
      without++
      continue
    }
    const { answer, ...time } = timed(() => packCrates({ boxes, items: products, limit_ms: 50 }))
    took.push(time.took)
    if (answer.cost < used.cost) cheaper++
    else if (answer.cost === used.cost) same++
    else dearer++
  }
  const counted = same + cheaper + dearer
  const good = (same + cheaper) / Math.max(1, counted)
  return [
    {
      name: 'crate-replay',
      what: `boxes of ${all.length} real baskets, invented sizes: same or cheaper`,
      ours: `${(good * 100).toFixed(1)} % (${same} same, ${cheaper} cheaper)`,
      limit: `${dearer} dearer, ${without} baskets without such a box`,
      ratio: `p95 ${percentiles(took).p95.toFixed(1)} ms by the clock`,
      goal: '≥ 90 %',
      ok: good >= 0.9,
    },
  ]
}

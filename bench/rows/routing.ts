/** Routes: proven ones through blocks, close ones over drawn maps, each measured again here; the calculation of a map; metres of real baskets. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { fillWagons, improveWagons, type WagonPlan, type WagonsInput } from '#optimization/batches/wagons.ts'
import { encode, measure } from '#optimization/distances/distances.ts'
import { type Cell, type Floor, isWalkable } from '#optimization/distances/floor.ts'
import { type MapQuestion, routeMap, type Spot } from '#optimization/grid-map.ts'
import { type Chance, newChance } from '#optimization/random/seeded-random.ts'
import { type BlocksQuestion, type Place, routeBlocks } from '#optimization/routes/blocks.ts'
import { largestGap, sShape } from '#optimization/routes/heuristics.ts'
import { shortestTour } from '#optimization/routes/tour.ts'
import { demoFloor } from '../../src/app/demo/floor.ts'
import { inventProduct } from '../../src/features/orders/order-imports/invent-missing-data.rules.ts'
import { walkable } from '../../src/features/warehouse/map-results/walks.rules.ts'
import { byBinText } from '../../src/features/warehouse/warehouse-maps/bins.rules.ts'
import { measuredCells } from '../../src/features/warehouse/warehouse-maps/drawing.rules.ts'
import type { Drawing } from '../../src/features/warehouse/warehouse-maps/drawing.schemas.ts'
import { root } from '../bench-app.ts'
import { mean, more, ms, percentiles, type Row, some, timed } from '../measure.ts'

const stops = 60
/** Metres may be fractions. */
const hair = 1e-6

/** The shortest walk in a rectangular warehouse, by a formula of its own: a length is never believed. */
function walk({ aisleGap, crossAisleY }: BlocksQuestion, [from, at]: Place, [to, y]: Place): number {
  if (from === to) return Math.abs(at - y)
  return Math.abs(from - to) * aisleGap + Math.min(...crossAisleY.map(cross => Math.abs(at - cross) + Math.abs(cross - y)))
}

/** Throws where a place is missing, or there more often than it was asked for. */
function checkVisits(asked: readonly (Place | Spot)[], tour: readonly (Place | Spot)[]): void {
  const sorted = (places: readonly (Place | Spot)[]) => places.map(String).sort().join(' ')
  if (sorted(asked) !== sorted(tour)) throw new Error('A tour does not visit its picks, each once')
}

function checkLength(said: number, measured: number): void {
  if (Math.abs(said - measured) > hair) throw new Error(`A tour of ${measured} says that it is ${said} long`)
}

function lengthOf(question: BlocksQuestion, tour: readonly Place[]): number {
  checkVisits(question.picks, tour)
  const way = [question.depot, ...tour, question.depot]
  return way.slice(1).reduce((sum, place, i) => sum + walk(question, way[i]!, place), 0)
}

const span = 20
const aisleGap = 3

function blocksQuestion(chance: Chance, crossings: number): BlocksQuestion {
  const aisles = 10 + chance.below(11)
  const crossAisleY = Array.from({ length: crossings }, (_, i) => i * span)
  const places = Array.from({ length: aisles }, (_, aisle) =>
    Array.from({ length: span * (crossings - 1) + 1 }, (_, y): Place => [aisle, y]).filter(([, y]) => !crossAisleY.includes(y)),
  ).flat()
  return { aisles, aisleGap, crossAisleY, depot: [chance.below(aisles), 0], picks: some(chance, places, stops) }
}

function nearestNeighbour(question: BlocksQuestion): Place[] {
  const left = [...question.picks]
  const tour: Place[] = []
  for (let at = question.depot; left.length > 0; ) {
    const far = left.map(pick => walk(question, at, pick))
    at = left.splice(far.indexOf(Math.min(...far)), 1)[0]!
    tour.push(at)
  }
  return tour
}

/** Tours that know nothing of aisles: a search of so many milliseconds over the distances alone. */
function searched(question: BlocksQuestion, limit_ms: number): number {
  const places = [question.depot, ...question.picks]
  const far = places.map(from => places.map(to => walk(question, from, to)))
  return shortestTour((from, to) => far[from]![to]!, { start: 0, end: 0, stops: [...places.keys()].slice(1), limit_ms }).length
}

/** Rectangular warehouses: the optimum is proven, so that nothing may be shorter – no rule of thumb, and no long search. */
function throughBlocks(): Row[] {
  return (
    [
      [2, 80, 10],
      [3, 80, 10],
      [5, 30, 100],
      [6, 8, 1_000],
    ] as const
  ).map(([crossings, questions, limit]) => {
    const chance = newChance(crossings)
    routeBlocks(blocksQuestion(chance, crossings))
    const took: number[] = []
    const used: number[] = []
    const ratios = { 'S-shape': [] as number[], 'largest gap': [] as number[], nearest: [] as number[], search: [] as number[] }
    for (let n = 0; n < questions; n++) {
      const question = blocksQuestion(chance, crossings)
      const { answer, ...time } = timed(() => routeBlocks(question))
      took.push(time.took)
      used.push(time.used)
      const length = lengthOf(question, answer.tour)
      checkLength(answer.length, length)
      for (const rule of [sShape, largestGap])
        ratios[rule === sShape ? 'S-shape' : 'largest gap'].push(
          Math.max(rule(question).length, lengthOf(question, rule(question).tour)) / length,
        )
      ratios.nearest.push(lengthOf(question, nearestNeighbour(question)) / length)
      if (n < 4) ratios.search.push(searched(question, 100) / length)
    }
    const { p50, p95 } = percentiles(used)
    return {
      name: 'routes',
      what: `${stops} picks, ${crossings} cross-aisles, proven, p95 of processor`,
      ours: ms(p95),
      limit: `p50 ${ms(p50)}, by the clock p95 ${ms(percentiles(took).p95)}; longer are ${Object.entries(ratios)
        .map(([name, values]) => `${name} ${more(mean(values))}`)
        .join(', ')}`,
      ratio: `${questions} measured again`,
      goal: `≤ ${limit} ms`,
      ok: p95 <= limit && Object.values(ratios).every(values => Math.min(...values) > 1 - hair),
    }
  })
}

/** The same warehouse as somebody draws it: aisles one cell wide with racks beside them. */
function drawn({ aisles, crossAisleY, depot, picks }: BlocksQuestion): MapQuestion {
  const last = Math.max(...crossAisleY)
  const spotOf = ([aisle, y]: Place): Spot => [1 + aisleGap * aisle, y]
  const grid = Array.from({ length: last + 1 }, (_, y) =>
    Array.from({ length: aisleGap * aisles }, (_, x) => (crossAisleY.includes(y) || x % aisleGap === 1 ? '.' : '#')).join(''),
  )
  return { grid, depot: spotOf(depot), picks: picks.map(spotOf) }
}

/** A drawing with one-way aisles, dead ends and pillars; its picks can be walked to and away from. */
function crooked(chance: Chance, picks: number): MapQuestion {
  const question = blocksQuestion(chance, 3)
  const { grid, depot } = drawn(question)
  const signs = grid.map(row => [...row])
  for (let aisle = 0; aisle < question.aisles; aisle++) {
    const x = 1 + aisleGap * aisle
    const sign = [undefined, undefined, '^', 'v'][chance.below(4)]
    for (let y = 1; sign && y < 2 * span; y++) if (y !== span) signs[y]![x] = sign
    if (chance.below(4) === 0) signs[span + 1 + chance.below(span - 1)]![x] = '#'
    if (chance.below(5) === 0) signs[span]![x + 1] = '#'
  }
  const map = { grid: signs.map(row => row.join('')), depot }
  const steps = stepsOn(map.grid)
  const there = steps(depot)
  const spots = signs.flatMap((row, y) => row.flatMap((sign, x): Spot[] => (sign === '#' ? [] : [[x, y]])))
  const home = spots.filter(spot => there(spot) < Number.POSITIVE_INFINITY && steps(spot)(depot) < Number.POSITIVE_INFINITY)
  return {
    ...map,
    picks: some(
      chance,
      home.filter(([x, y]) => x % aisleGap === 1 && y % span !== 0),
      picks,
    ),
  }
}

/** Breadth first over the signs of a drawing, one source at a time. */
function stepsOn(grid: readonly string[]): (from: Spot) => (to: Spot) => number {
  const ways: Record<string, readonly Spot[]> = { '^': [[0, -1]], v: [[0, 1]], '<': [[-1, 0]], '>': [[1, 0]] }
  ways['.'] = Object.values(ways).flat()
  return from => {
    const steps = new Map([[String(from), 0]])
    const queue = [from]
    for (const [x, y] of queue)
      for (const [right, down] of ways[grid[y]![x]!]!) {
        const next: Spot = [x + right, y + down]
        if (!/[.^v<>]/.test(grid[next[1]]?.[next[0]] ?? '') || steps.has(String(next))) continue
        steps.set(String(next), steps.get(String([x, y]))! + 1)
        queue.push(next)
      }
    return to => steps.get(String(to)) ?? Number.POSITIVE_INFINITY
  }
}

function stepsOf({ grid, depot, picks }: MapQuestion, tour: readonly Spot[]): number {
  checkVisits(picks, tour)
  const steps = stepsOn(grid)
  const way = [depot, ...tour, depot]
  return way.slice(1).reduce((sum, spot, i) => sum + steps(way[i]!)(spot), 0)
}

/** Drawn maps: against the proven optimum where the drawing is a plain block, and against a search of many times the patience elsewhere. */
function overMaps(): Row[] {
  const patience = 600
  const longer = (question: MapQuestion): number => {
    const places = [question.depot, ...question.picks]
    const steps = stepsOn(question.grid)
    const far = places.map(from => places.map(steps(from)))
    const visits = { start: 0, end: 0, stops: [...places.keys()].slice(1) }
    return Math.min(...[2, 3].map(seed => shortestTour((from, to) => far[from]![to]!, { ...visits, seed, limit_ms: patience / 2 }).length))
  }
  const blocks = newChance(7)
  const crookeds = newChance(8)
  return [
    {
      what: `${stops} picks on a drawn block: over the optimum`,
      against: 'routeBlocks, proven',
      questions: Array.from({ length: 30 }, (_, n) => {
        const block = blocksQuestion(blocks, 2 + (n % 3))
        return { question: drawn(block), best: () => routeBlocks(block).length }
      }),
      most: 1.01,
    },
    {
      what: `${stops} picks, one-way and dead ends: over the best known`,
      against: `searches of ${patience} ms`,
      questions: Array.from({ length: 10 }, () => {
        const question = crooked(crookeds, stops)
        return { question, best: () => longer(question) }
      }),
      most: 1.01,
    },
    {
      what: '13 picks, one-way and dead ends: over the best known',
      against: 'the same',
      questions: Array.from({ length: 10 }, () => {
        const question = crooked(crookeds, 13)
        return { question, best: () => longer(question) }
      }),
      most: 1,
    },
  ].map(({ what, against, questions, most }) => {
    const spent: number[] = []
    const ratios = questions.map(({ question, best }) => {
      const { used, answer } = timed(() => routeMap(question))
      spent.push(used)
      const steps = stepsOf(question, answer.tour)
      checkLength(answer.length, steps)
      return steps / best()
    })
    const { p50, p95 } = percentiles(spent)
    return {
      name: 'route-maps',
      what,
      ours: `${more(mean(ratios))}, worst ${more(Math.max(...ratios))}`,
      limit: against,
      ratio: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
      goal: most === 1 ? 'none' : '≤ 1 % on average',
      ok: mean(ratios) <= most + hair,
    }
  })
}

export async function routes(): Promise<Row[]> {
  return [...throughBlocks(), ...overMaps()]
}

/**
 * Five thousand bins, every one with a cell of its own from which it is picked – twice as many ways as where racks face each other –
 * with a slow zone, one-way aisles and a stair, so that steps differ in length.
 */
export function largeFloor(): Drawing {
  const [aisles, bays] = [100, 50]
  const width = 3 * aisles
  const crossings = [0, 26, 53]
  const rows = Array.from({ length: 54 }, (_, y) => y)
  const bins = rows.filter(y => !crossings.includes(y) && y !== 52).slice(0, bays)
  return {
    width,
    height: rows.length,
    cell_mm: 1_000,
    cells: rows.map(y =>
      Array.from({ length: width }, (_, x) => {
        if (crossings.includes(y)) return '.'
        if (x % 3 !== 1) return '#'
        return x % 60 === 31 ? '^' : x % 60 === 34 ? 'v' : '.'
      }).join(''),
    ),
    locations: Array.from({ length: aisles }, (_, aisle) =>
      bins.map((y, bay) => ({
        code: `${String(aisle + 1).padStart(3, '0')}-${String(bay + 1).padStart(2, '0')}`,
        x: 3 * aisle + (bay % 2 ? 2 : 0),
        y,
        side: bay % 2 ? ('w' as const) : ('e' as const),
        level: 0,
      })),
    ).flat(),
    starts: [{ name: 'Wagons', x: 10, y: 53 }],
    stations: [{ name: 'Packing', x: 150, y: 53 }],
    zones: [{ name: 'Forklifts', x: 0, y: 26, width, height: 1, cost: 2 }],
    stairs: [{ name: 'Ramp', from: { x: 0, y: 0 }, to: { x: width - 1, y: 0 }, metres: 40, one_way: false }],
  }
}

/** Dijkstra by looking for the nearest cell each time: slow, and by another hand. Decimetres to each cell. */
function waysFrom(floor: Floor, from: Cell): (to: Cell) => number {
  const { width, height, cells, cell_mm, zones, stairs } = floor
  const cost = ({ x, y }: Cell) =>
    Math.max(
      1,
      ...zones.filter(zone => x >= zone.x && y >= zone.y && x < zone.x + zone.width && y < zone.y + zone.height).map(zone => zone.cost),
    )
  const name = ({ x, y }: Cell) => y * width + x
  const costs = Array.from({ length: width * height }, (_, at) => cost({ x: at % width, y: Math.floor(at / width) }))
  const ways = new Float64Array(width * height).fill(Number.POSITIVE_INFINITY)
  ways[name(from)] = 0
  const open = new Set([name(from)])
  while (open.size > 0) {
    let nearest = -1
    for (const at of open) if (nearest < 0 || ways[at]! < ways[nearest]!) nearest = at
    open.delete(nearest)
    const here = { x: nearest % width, y: Math.floor(nearest / width) }
    const sign = cells[here.y]![here.x]
    const go = (to: Cell, decimetres: number) => {
      if (!isWalkable(floor, to) || ways[nearest]! + decimetres >= ways[name(to)]!) return
      ways[name(to)] = ways[nearest]! + decimetres
      open.add(name(to))
    }
    for (const [way, right, down] of [
      ['^', 0, -1],
      ['v', 0, 1],
      ['<', -1, 0],
      ['>', 1, 0],
    ] as const) {
      const to = { x: here.x + right, y: here.y + down }
      if ((sign === '.' || sign === way) && isWalkable(floor, to)) go(to, ((costs[nearest]! + costs[name(to)]!) / 2) * (cell_mm / 100))
    }
    for (const stair of stairs) {
      if (name(stair.from) === nearest) go(stair.to, stair.metres * 10)
      if (name(stair.to) === nearest && !stair.one_way) go(stair.from, stair.metres * 10)
    }
  }
  return to => ways[name(to)]!
}

/** A map of 5,000 bins: all ways between them, and then a wagon's route. */
export async function calc(): Promise<Row[]> {
  const floor = largeFloor()
  const cells = measuredCells(floor)
  let reports = 0
  let pause = 0
  let last = performance.now()
  const heartbeat = setInterval(() => {
    pause = Math.max(pause, performance.now() - last)
    last = performance.now()
  }, 1)
  const began = performance.now()
  const distances = await measure(floor, cells, () => void reports++)
  const took = performance.now() - began
  clearInterval(heartbeat)

  let checked = 0
  const chance = newChance(5)
  for (const from of some(chance, [...cells.keys()], 4)) {
    const ways = waysFrom(floor, cells[from]!)
    for (const [to, cell] of cells.entries()) {
      if (Math.abs(ways(cell) - distances.between(from, to)) > 0.51) throw new Error(`From place ${from} to ${to} it is ${ways(cell)} dm`)
      checked++
    }
  }

  const tours: number[] = []
  const clock: number[] = []
  for (let n = 0; n < 200; n++) {
    const places = some(chance, [...cells.keys()].slice(2), stops)
    const { took, used, answer } = timed(() => shortestTour((from, to) => distances.between(from, to), { start: 0, end: 1, stops: places }))
    tours.push(used)
    clock.push(took)
    const way = [0, ...answer.order, 1]
    if (new Set(answer.order).size !== stops) throw new Error('A tour does not visit its stops, each once')
    checkLength(
      answer.length,
      way.slice(1).reduce((sum, to, i) => sum + distances.between(way[i]!, to), 0),
    )
  }
  const { p50, p95 } = percentiles(tours)
  return [
    {
      name: 'calc',
      what: `all ways between ${floor.locations.length.toLocaleString('en')} bins`,
      ours: `${(took / 1_000).toFixed(1)} s`,
      limit: `${reports} reports, pauses ≤ ${ms(pause)}; ${Math.round(encode(distances, '').length / 1e6)} MB`,
      ratio: `${checked.toLocaleString('en')} checked`,
      goal: '< 10 s',
      ok: took < 10_000 && reports > 1 && cells.length >= 5_000,
    },
    {
      name: 'calc',
      what: `a route of ${stops} stops on it, p95 of processor`,
      ours: ms(p95),
      limit: `p50 ${ms(p50)}, by the clock p50 ${ms(percentiles(clock).p50)}, p95 ${ms(percentiles(clock).p95)}`,
      ratio: '200 measured again',
      goal: '< 20 ms',
      ok: p95 < 20,
    },
  ]
}

/** Orders on a wagon. */
const onWagon = 12

interface Basket {
  order: string
  bins: string[]
}

/** Orders of a real shop in the order in which they came; their bins are those that the import invents. */
async function realBaskets(path: string): Promise<Basket[] | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  const lines: { InvoiceNo: string; StockCode: string; Quantity: string }[] = parse(text, { columns: true, bom: true, relax_quotes: true })
  const goods = lines.filter(line => /^\d{6}$/.test(line.InvoiceNo) && /^\d{5}/.test(line.StockCode) && Number(line.Quantity) > 0)
  return [...Map.groupBy(goods, line => line.InvoiceNo)].map(([order, its]) => ({
    order,
    bins: [...new Set(its.map(line => inventProduct(line.StockCode).bin))],
  }))
}

/** Metres on the demo's floor with real baskets: pickers who follow the order of the bin names, and pickers who follow the computed route. */
export async function metres(): Promise<Row[]> {
  const name = 'online-retail-2010-12.csv'
  const baskets = await realBaskets(join(root, '..', 'shared', 'data', name))
  if (!baskets)
    return [
      {
        name: 'metres',
        what: `skipped: ../shared/data/${name} is not there`,
        ours: '',
        limit: '',
        ratio: '',
        goal: '≥ 20 % fewer',
        ok: true,
      },
    ]
  const drawing = demoFloor()
  const distances = await measure(drawing, measuredCells(drawing))
  const map = walkable({ result_id: 0, map_id: 0, drawing, bytes: encode(distances, '') })
  const ways = distances.cells.map(cell => distances.cells.map(waysFrom(drawing, cell)))
  const cellsOf = (bins: readonly string[]) => [...new Set(bins.map(bin => map.cellOfBin(bin)!))]
  const walked = (cells: readonly number[]) => {
    const way = [map.start, ...cells, map.end]
    return way.slice(1).reduce((sum, to, i) => sum + ways[way[i]!]![to]!, 0) / 10
  }
  const wagons = Array.from({ length: Math.ceil(baskets.length / onWagon) }, (_, i) => baskets.slice(onWagon * i, onWagon * (i + 1)))
  const byText = wagons.reduce((sum, wagon) => sum + walked(cellsOf(wagon.flatMap(({ bins }) => bins).sort(byBinText))), 0)
  const routed = wagons.reduce((sum, wagon) => {
    const places = cellsOf(wagon.flatMap(({ bins }) => bins))
    const { order } = shortestTour((from, to) => distances.between(from, to), { start: map.start, end: map.end, stops: places })
    checkVisits(
      places.map(place => [place, 0]),
      order.map(place => [place, 0]),
    )
    return sum + walked(order)
  }, 0)
  const km = (length: number) => `${(length / 1_000).toFixed(2)} km`
  const row = (what: string, length: number): Row => ({
    name: 'metres',
    what,
    ours: km(length),
    limit: `${km(byText)} by bin text`,
    ratio: `${((1 - length / byText) * 100).toFixed(1)} % fewer`,
    goal: '≥ 20 % fewer',
    ok: length <= 0.8 * byText,
  })
  // Nothing is urgent, so that any order may go with any other; slots have no limits.
  const input: WagonsInput = {
    orders: baskets.map(({ bins }, id) => ({
      id,
      stops: cellsOf(bins),
      weight_g: 0,
      volume_ml: 0,
      heaviest_g: 0,
      pinned: false,
      deadline: null,
    })),
    wagon: { slots: Array.from({ length: onWagon }, () => ({ max_weight_g: null, max_volume_ml: null, row: 0 })), max_weight_g: null },
    between: (from, to) => distances.between(from, to),
    start: map.start,
    end: map.end,
    seed: 1,
  }
  const walkedBy = ({ wagons, left }: WagonPlan) => {
    if (left.length > 0 || wagons.flatMap(({ orders }) => orders).length !== baskets.length)
      throw new Error('Not every basket is on a wagon')
    return wagons.reduce((sum, { orders, tour }) => {
      const asked = cellsOf(orders.flatMap(({ id }) => baskets[id]!.bins))
      checkVisits(
        asked.map(place => [place, 0]),
        tour.map(place => [place, 0]),
      )
      return sum + walked(tour)
    }, 0)
  }
  const filled = fillWagons(input)
  const improved = await improveWagons(input, filled, { limit_ms: 5_000 })
  return [
    row(`${baskets.length} real baskets, the same wagons of ${onWagon}`, routed),
    row('wagons filled by added metres', walkedBy(filled)),
    row('and improved for 5 s', walkedBy(improved)),
  ]
}

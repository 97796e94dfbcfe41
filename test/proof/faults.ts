/**
 * The faults of F1 to F19 with their variants, and what shows that each is survived. `run` names a file and its test, or a command. A variant
 * without one is not run. docs/proof.md prints this table: `npm run proof -- faults` compares them.
 */
interface FaultRow {
  fault: string
  name: string
  variant: string
  run?: { file: string; test: string } | { command: string; file: string }
  /** The day of the last run, or `npm test`, which runs the tests with every change. */
  last?: string
}

const tested = (fault: string, name: string, variant: string, file: string, test: string): FaultRow => ({
  ...{ fault, name, variant },
  run: { file, test },
  last: 'npm test',
})
const proved = (fault: string, name: string, variant: string, command: string, file: string, last: string): FaultRow => ({
  ...{ fault, name, variant },
  run: { command, file },
  last,
})

const features = 'src/features'
const labels = `${features}/shipping/labels`
const prints = `${features}/printing/print-jobs/print-jobs.test.ts`
const outbox = `${features}/deliveries/outbox/outbox.test.ts`
const packing = `${features}/packing/packing/packing.test.ts`
const picking = `${features}/warehouse/picking/picking.test.ts`
const imports = `${features}/orders/order-imports/order-imports.test.ts`
const cluster = 'src/platform/postgres/embedded-postgres.test.ts'
const hangs = 'test/faults-database.test.ts'
const program = 'test/faults.test.ts'
const queue = 'src/ui/offline/offline-queue.test.ts'

const server = 'The server is killed'
const power = 'The power goes'
const database = 'The database is killed or restarted'
const silent = 'The database hangs'
const locks = 'Somebody dies who holds locks'
const courier = 'The courier books and does not answer'
const printer = 'The printer is off, or the provider is slow'
const inbound = 'Webhooks come twice and out of order'
const outbound = 'Receivers of webhooks fail'
const sameOrder = 'Two people at one order'
const sameList = 'Two pick lists at once'
const network = 'The station loses its network'
const clock = 'Clocks change'
const servers = 'Several servers, and a new version'
const large = 'Huge imports and runaway reports'
const disk = 'The disk is full'
const backup = 'A backup is broken'
const noisy = 'One company floods the others'
const stale = 'What a dead process left behind'

export const faultRows: readonly FaultRow[] = [
  tested('F1', server, 'Between any two steps of closing an order', program, 'the packer asks again'),
  tested(
    'F1',
    server,
    'At any moment while stations pack',
    'test/packing-day/packing-day.test.ts',
    'is killed repeatedly while four stations pack',
  ),
  proved('F1', server, 'At named points of a whole warehouse day', 'npm run proof -- day', 'test/proof/day.proof.ts', '2026-11-26'),
  tested('F1', server, 'In order, with requests under way', program, 'shuts down gracefully'),
  tested('F1', server, 'One of the processes that answer calls', 'test/processes.test.ts', 'when a process that answers calls is killed'),
  tested('F2', power, 'Server and database stop at one moment', 'test/faults-power.test.ts', 'at any moment of a power loss'),
  proved(
    'F2',
    power,
    'A whole guest is cut off, on its own disk',
    'npm run proof -- power-cuts',
    'test/proof/power-cuts.proof.ts',
    '2026-11-27',
  ),
  proved(
    'F2',
    power,
    'The control run without durability fails',
    'npm run proof -- power-cuts',
    'test/proof/power-cuts.proof.ts',
    '2026-11-27',
  ),
  tested('F3', database, 'SIGKILL and SIGQUIT under load', program, 'survives crashes of the database'),
  tested('F3', database, 'Its rows and its address come back', cluster, 'is brought back at the same address when it is killed'),
  tested('F3', database, 'Before a commit', hangs, 'before a change is saved'),
  tested('F3', database, 'During a commit', hangs, 'while a change is saved'),
  tested('F3', database, 'During a read', hangs, 'during a read'),
  tested('F3', database, 'A scan whose commit travels with it', hangs, 'while a scan and its commit travel together'),
  tested(
    'F3',
    database,
    'The queue notes its jobs afterwards',
    'src/platform/jobs/job-queue.test.ts',
    'notes the end of a job when the database is back',
  ),
  tested('F4', silent, 'Connections are open and say nothing', hangs, 'blocks no request for long'),
  tested('F4', silent, 'The readiness check', hangs, 'answers the readiness check within its time limit'),
  tested('F4', silent, 'It is gone for a while', hangs, 'is found again by all its listeners'),
  tested('F5', locks, 'Its connection breaks during a statement', hangs, 'is free within seconds when its holder dies'),
  tested('F5', locks, 'It lives and does not let go', hangs, 'is waited for a few seconds'),
  tested('F5', locks, 'A job of the queue', 'src/platform/jobs/job-queue.test.ts', 'takes up the job of a server that died'),
  proved(
    'F6',
    courier,
    '14 couriers, three bookings of ten with a fault',
    'npm run proof -- courier-faults',
    'test/proof/courier-faults.proof.ts',
    '2026-11-26',
  ),
  tested(
    'F6',
    courier,
    'Faults of the courier and deaths of workers',
    `${labels}/booking.test.ts`,
    'never has two live labels of one parcel',
  ),
  tested('F6', courier, 'Later than any lease', `${labels}/booking.test.ts`, 'a courier that is later than any lease'),
  tested(
    'F6',
    courier,
    'Neither key nor look-up: a person decides',
    `${labels}/booking.test.ts`,
    'leaves what it did not answer to a person',
  ),
  tested(
    'F6',
    courier,
    'A booking that no job has in hand',
    `${labels}/open-bookings.test.ts`,
    'gets a job for an open booking that has none',
  ),
  tested('F7', printer, 'The provider cannot be reached', prints, 'waits here while PrintNode cannot be reached'),
  tested('F7', printer, 'The answer is lost', 'src/integrations/printers/printnode.test.ts', 'prints once when the answer was lost'),
  tested('F7', printer, 'It comes back after the job has expired', prints, 'does not come out when the printer returns after its time'),
  tested(
    'F7',
    printer,
    'A second printer takes over',
    prints,
    'prints no duplicate when it comes back before the job could be taken from it',
  ),
  tested(
    'F7',
    printer,
    'A print agent dies',
    `${features}/printing/print-agents/print-agents.test.ts`,
    'is unknown when its agent died while it printed',
  ),
  proved(
    'F8',
    inbound,
    'Of couriers, mixed and doubled',
    'npm run proof -- courier-webhooks',
    'test/proof/courier-webhooks.proof.ts',
    '2026-11-27',
  ),
  tested(
    'F8',
    inbound,
    'Of couriers, a few',
    `${features}/shipping/pushed-events/pushed-events.test.ts`,
    'events in any order and doubled leave the parcels',
  ),
  tested(
    'F8',
    inbound,
    'Of shops, mixed and doubled',
    `${features}/orders/shop-webhooks/shop-webhooks.test.ts`,
    'leaves the same order whatever the order in which deliveries come',
  ),
  tested(
    'F9',
    outbound,
    'An outage of hours',
    `${features}/deliveries/webhooks/webhooks.test.ts`,
    'gets everything once and in order per object after an outage',
  ),
  tested('F9', outbound, 'The server dies while it sends', outbox, 'leaves a delivery that is sent again under the same id'),
  tested('F9', outbound, 'It fails for good', outbox, 'fail for good after nine attempts'),
  tested('F9', outbound, 'A slow one beside others', outbox, 'lets no slow destination hold up another'),
  tested('F10', sameOrder, 'Sixteen open it at once', packing, 'has exactly one winner when sixteen open it at once'),
  tested('F10', sameOrder, 'One scan arrives five times at once', packing, 'counts the same scan once even when it arrives five times'),
  tested('F10', sameOrder, 'Two phones pick one line', picking, 'never counts more than was asked, though two phones pick the same line'),
  proved(
    'F10',
    sameOrder,
    'Claims, scans, serials and totes by the thousand',
    'npm run proof -- races',
    'test/proof/races.proof.ts',
    '2026-11-26',
  ),
  tested(
    'F11',
    sameList,
    'Sixteen are made at once',
    `${features}/warehouse/pick-lists/pick-lists.test.ts`,
    'never shares an order with another, also when sixteen are made at once',
  ),
  tested('F11', sameList, 'Both reserve totes', `${features}/warehouse/paperless/paperless.test.ts`, 'two lists made at once share none'),
  tested('F12', network, 'Scans are kept and sent once', 'test/journeys/station.test.ts', 'keeps two scans made without a network'),
  tested('F12', network, 'The page is loaded again meanwhile', queue, 'goes on after a reload with what the page before left behind'),
  tested('F12', network, 'Answers are lost', queue, 'sends an entry again with the same id until the server answers'),
  tested(
    'F13',
    clock,
    'Paid time in a night of the change',
    `${features}/people/punch-clock/punch.rules.test.ts`,
    'counts real time where the clocks change',
  ),
  tested(
    'F13',
    clock,
    'Shifts that are copied over the change',
    `${features}/people/schedule/schedule.rules.test.ts`,
    'that is copied over a clock change keeps its clock',
  ),
  tested(
    'F13',
    clock,
    'A device whose clock is wrong',
    `${features}/people/punch-clock/punch-clock.test.ts`,
    'they count from the server’s time and the measured time',
  ),
  tested('F14', servers, 'Schedules run on one of them', 'src/platform/jobs/scheduler.test.ts', 'are made by one server at a time'),
  tested('F14', servers, 'An older server after a migration', 'src/platform/database/migrate.test.ts', 'is left alone by an older server'),
  proved(
    'F14',
    servers,
    'Two versions side by side under load',
    'npm run proof -- two-versions',
    'test/proof/two-versions.proof.ts',
    '2026-11-27',
  ),
  tested('F15', large, 'The server is killed during an import', imports, 'goes on where it stopped when the server was killed'),
  tested('F15', large, 'An upload of 300 MB', 'src/platform/http/uploads.test.ts', 'of 300 MB needs less than 100 MB of memory'),
  tested('F16', disk, 'While an order is closed', program, 'whose disk takes no more files says so'),
  tested('F16', disk, 'During an upload', 'src/platform/http/uploads.test.ts', 'when the disk is full'),
  tested(
    'F17',
    backup,
    'An archive that is damaged or cut off',
    'src/app/backup.test.ts',
    'refuses an archive that is damaged at any place',
  ),
  tested(
    'F17',
    backup,
    'A restore that is interrupted',
    'src/app/backup.test.ts',
    'that is interrupted while it copies leaves an empty database',
  ),
  tested(
    'F18',
    noisy,
    'Searches and bulk work',
    'src/platform/admission/admission.test.ts',
    'another company’s searches and scans begin at once',
  ),
  tested('F18', noisy, 'More calls than can wait', 'src/platform/admission/admission.test.ts', 'is refused more than can wait'),
  tested('F18', noisy, 'Deliveries to shops', outbox, 'sends what one company has to send while another has a flood'),
  tested('F19', stale, 'A database that outlived its server', cluster, 'is adopted when its Pakhus was killed'),
  tested('F19', stale, 'A first start that was cut short', cluster, 'is made anew where an earlier making was cut short'),
  tested('F19', stale, 'Work of a dead server', program, 'passes the work of a crashed server to the next one'),
  proved('F19', stale, 'Server, database and both, again and again', 'npm run proof -- kills', 'test/proof/kills.proof.ts', '2026-11-27'),
]

/** Everything that is wrong with the table itself. */
export function problemsOfFaults(rows: readonly FaultRow[], read: (file: string) => string | undefined): string[] {
  const problems: string[] = []
  for (let n = 1; n <= 19; n++) if (!rows.some(row => row.fault === `F${n}`)) problems.push(`F${n} has no row`)
  if (rows.length < 60) problems.push(`There are ${rows.length} rows of 60`)
  for (const { fault, variant, run } of rows) {
    if (!run) continue
    const text = read(run.file)
    if (text === undefined) problems.push(`${fault}, ${variant}: there is no ${run.file}`)
    else if ('test' in run && !text.includes(run.test)) problems.push(`${fault}, ${variant}: ${run.file} has no test “${run.test}”`)
  }
  return problems
}

const commandOf = ({ run }: FaultRow): string => {
  if (!run) return 'not run'
  return 'command' in run ? `\`${run.command}\`` : `\`${run.file}\`: ${run.test}`
}

/** As docs/proof.md has it. */
export const faultTable = (rows: readonly FaultRow[]): string =>
  [
    '| | Fault | Variant | Run by | Last run |',
    '|---|---|---|---|---|',
    ...rows.map(row => `| ${row.fault} | ${row.name} | ${row.variant} | ${commandOf(row)} | ${row.last || 'not run'} |`),
  ].join('\n')

/** The rules of the source tree, read from the files: layers, order, cycles, file names and the owner of each table. */
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

/** What each layer imports besides itself. */
const layers: Record<string, readonly string[]> = {
  contract: [],
  domain: ['contract'],
  optimization: ['contract'],
  platform: ['domain', 'contract'],
  ui: ['domain', 'contract'],
  integrations: ['platform', 'domain', 'optimization', 'contract'],
  features: ['integrations', 'ui', 'platform', 'domain', 'optimization', 'contract'],
  app: ['features', 'integrations', 'ui', 'platform', 'domain', 'optimization', 'contract'],
}

/** Areas and the features of each, from the lowest: a feature imports only what stands before it. */
const areas: Record<string, readonly string[]> = {
  company: [
    'about',
    'caches',
    'change-stream',
    'jobs',
    'access-log',
    'saved-views',
    'users',
    'api-keys',
    'packing-pin',
    'companies',
    'holidays',
    'exchange-rates',
    'customs-numbers',
    'groups',
    'announcements',
    'boards',
    'sign-in-provider',
    'tags',
    'session',
    'setup',
  ],
  catalog: ['product-links', 'products', 'crates'],
  customers: ['customers'],
  orders: [
    'deadlines',
    'orders',
    'order-rules',
    'tag-rules',
    'additional-products',
    'order-alerts',
    'bulk-jobs',
    'order-exports',
    'partial-shipments',
    'order-imports',
    'shop-webhooks',
  ],
  printing: [
    'printers',
    'station-printers',
    'print-jobs',
    'print-agents',
    'printer-alerts',
    'printer-checks',
    'self-tests',
    'code-sheets',
    'order-papers',
    'stations',
  ],
  shipping: [
    'courier-events',
    'courier-webhooks',
    'parcel-shops',
    'shipping-methods',
    'campaigns',
    'tracking',
    'prices',
    'crate-choice',
    'address-book',
    'customs',
    'shop-replacement',
    'labels',
    'pushed-events',
    'shipment-exceptions',
    'claims',
    'pickups',
  ],
  warehouse: [
    'paperless',
    'warehouse-maps',
    'map-results',
    'slotting',
    'wagon-routes',
    'map-editor',
    'pick-lists',
    'pick-tasks',
    'totes',
    'picking',
    'collect-lists',
  ],
  packing: ['packing-photos', 'serial-numbers', 'approval', 'weighings', 'packing', 'packing-video', 'exceptions', 'station'],
  deliveries: ['outbox', 'mail', 'sms', 'shop-api', 'webhooks', 'shop-connections'],
  invoicing: ['bulk-invoicing', 'invoices'],
  returns: ['rma-languages', 'returns', 'return-rules', 'portal'],
  messages: ['templates', 'decision-links', 'messages', 'alert-mails', 'tracking-help'],
  people: ['employees', 'schedule', 'work-figures', 'punch-clock', 'timesheet', 'salary', 'staff-data'],
  insight: ['statistics', 'figures', 'deadline-board'],
  desk: [
    'settings-search',
    'first-steps',
    'home',
    'erasure',
    'company-exports',
    'company-limits',
    'serial-page',
    'company-closing',
    'palette',
    'customer-page',
    'claim-kits',
    'packing-evidence',
    'why-not',
    'order-page',
    'return-page',
  ],
}

/** Folders of a layer, from the lowest. Files directly in the layer's folder stand above its folders, `config.ts` below. */
const folders: Record<string, readonly string[]> = {
  ui: ['device', 'query', 'navigation', 'kit', 'rules', 'scanner', 'offline', 'shell'],
  platform: [
    'processes',
    'threads',
    'postgres',
    'caches',
    'database',
    'admission',
    'crypto',
    'files',
    'backup',
    'auth',
    'limits',
    'notifications',
    'http',
    'jobs',
    'csv',
    'observability',
  ],
  optimization: ['arrays', 'random', 'distances', 'routes', 'batches', 'boxes', 'forecast'],
  integrations: ['labels', 'couriers', 'exchange-rates', 'breached-passwords', 'printers', 'shops', 'messaging'],
}

interface Source {
  path: string
  text: string
  imports: readonly string[]
  /** Imports that exist at run time: those of types alone are not among them. */
  loads: readonly string[]
}

const sources = readSources()
const byPath = new Map(sources.map(source => [source.path, source]))

function readSources(): readonly Source[] {
  const paths = globSync('src/**/*.{ts,tsx}', { cwd: root })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => !/\.(test|fake|d)\.tsx?$/.test(path))
    .toSorted()
  const known = new Set(paths)
  return paths.map(path => {
    const text = withoutComments(readFileSync(root + path, 'utf8'))
    const importsIn = (source: string): readonly string[] => {
      const found = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => resolveImport(path, name!))
      return [...new Set(found)].filter(file => known.has(file))
    }
    return { path, text, imports: importsIn(text), loads: importsIn(text.replace(/^(?:import|export) type [^']*'[^']+'/gm, '')) }
  })
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function resolveImport(from: string, name: string): string {
  if (name.startsWith('#')) return `src/${name.slice(1)}`
  return name.startsWith('.') ? posix.normalize(posix.join(posix.dirname(from), name)) : name
}

const layerOf = (path: string): string => path.split('/')[1]!

/** The unit whose imports are ordered: a feature, or a folder of another layer. */
function unitOf(path: string): string {
  const parts = path.split('/').slice(1)
  const depth = parts[0] === 'features' ? 3 : 2
  return parts.length > depth ? parts.slice(0, depth).join('/') : parts.join('/')
}

/** The place of a unit in its layer; undefined when it stands in no list. */
function rankOf(path: string): number | undefined {
  const layer = layerOf(path)
  const [, , folder = '', feature = ''] = path.split('/')
  if (layer === 'features') {
    const features = Object.entries(areas).flatMap(([area, names]) => names.map(name => `${area}/${name}`))
    const rank = features.indexOf(`${folder}/${feature}`)
    return rank < 0 ? undefined : rank
  }
  const order = folders[layer]
  if (!order) return 0
  if (path.split('/').length === 3) return { 'data-folder.ts': -2, 'config.ts': -1 }[folder] ?? order.length
  const rank = order.indexOf(folder)
  return rank < 0 ? undefined : rank
}

function isAllowed(from: string, to: string): boolean {
  const [low, high] = [layerOf(to), layerOf(from)]
  if (low !== high) return layers[high]?.includes(low) === true
  const [target, source] = [rankOf(to), rankOf(from)]
  return target !== undefined && source !== undefined && target <= source
}

/** Groups of files that import each other in a circle (Tarjan's strongly connected components). */
function cycles(): string[][] {
  const found: string[][] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const visit = (path: string): void => {
    index.set(path, index.size)
    low.set(path, index.get(path)!)
    stack.push(path)
    for (const next of byPath.get(path)!.imports) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(path, Math.min(low.get(path)!, low.get(next)!))
    }
    if (low.get(path) !== index.get(path)) return
    const group = stack.splice(stack.indexOf(path))
    if (group.length > 1) found.push(group.toSorted())
  }
  for (const { path } of sources) if (!index.has(path)) visit(path)
  return found
}

it('has every feature and folder in the order of its layer', () => {
  const unknown = sources.filter(({ path }) => layers[layerOf(path)] === undefined || rankOf(path) === undefined)
  expect([...new Set(unknown.map(({ path }) => unitOf(path)))]).toEqual([])
})

it('imports downwards only', () => {
  const upward = sources.flatMap(({ path, imports }) => imports.filter(to => !isAllowed(path, to)).map(to => ({ path, to })))
  expect(upward.map(({ path, to }) => `${path} -> ${to}`)).toEqual([])
})

it('has no cycle between files', () => {
  expect(cycles()).toEqual([])
})

it('names in each file where it runs', () => {
  const suffixes = /\.(contract|codes|schemas|rules|labels|commands|queries|server|task|thread|client)\.ts$|\.tsx$/
  const unnamed = sources.filter(({ path }) => layerOf(path) === 'features' && !suffixes.test(path)).map(({ path }) => path)
  // The icons of a menu are components as values, without a tag.
  const plain = sources.filter(({ path, text }) => /\.tsx$/.test(path) && !/icons\.tsx$/.test(path) && !/<\/[\w>]|\/>/.test(text))
  const wrong = [...unnamed, ...plain.map(({ path }) => path)]
  expect(wrong).toEqual([])
})

/** `both` sides import neither the server's files nor the browser's. */
function sideOf(path: string): 'server' | 'browser' | 'both' {
  const layer = layerOf(path)
  if (layer === 'platform' || layer === 'integrations') return 'server'
  if (layer === 'ui' || /\.tsx$|\.client\.ts$/.test(path)) return 'browser'
  return /\.(commands|queries|server|task|thread)\.ts$/.test(path) ? 'server' : 'both'
}

it('keeps the server and the browser apart', () => {
  const mixed = sources
    .filter(({ path }) => layerOf(path) !== 'app')
    .flatMap(({ path, imports }) =>
      imports.filter(to => sideOf(to) !== 'both' && sideOf(to) !== sideOf(path)).map(to => `${path} -> ${to}`),
    )
  expect(mixed).toEqual([])
})

/** Screens that validate a form or read a stored result with a schema: each loads the file of schemas with all that it holds. */
const screensWithSchemas: readonly string[] = [
  'AdditionalProductForm.tsx -> additional-products.schemas.ts',
  'AddressBookForm.tsx -> address-book.schemas.ts',
  'AlarmSettings.tsx -> deadline-board.schemas.ts',
  'AnnouncementForm.tsx -> announcements.schemas.ts',
  'BoardLinks.tsx -> deadline-board.schemas.ts',
  'CampaignForm.tsx -> campaigns.schemas.ts',
  'ClaimForm.tsx -> claims.schemas.ts',
  'ClaimRulesForm.tsx -> claims.schemas.ts',
  'CollectCages.tsx -> collect-lists.schemas.ts',
  'CompanyConfigScreen.tsx -> companies.schemas.ts',
  'CompanyExports.tsx -> company-exports.schemas.ts',
  'CompanyLimits.tsx -> company-limits.schemas.ts',
  'CompanyScreen.tsx -> company-closing.schemas.ts',
  'ConfigForm.tsx -> bulk-invoicing.schemas.ts',
  'CountryScreen.tsx -> companies.schemas.ts',
  'CourierEventForm.tsx -> courier-events.schemas.ts',
  'CourierSettings.tsx -> parcel-shops.schemas.ts',
  'CprNumber.tsx -> employees.schemas.ts',
  'CrateTypeForm.tsx -> crate-types.schemas.ts',
  'CustomsScreen.tsx -> customs-numbers.schemas.ts',
  'DeadlineForm.tsx -> deadlines.schemas.ts',
  'DevicePrinterForm.tsx -> print-agents.schemas.ts',
  'FurtherCompanies.tsx -> companies.schemas.ts',
  'HoldDialog.tsx -> packing-photos.schemas.ts',
  'HolidayAccount.tsx -> schedule.schemas.ts',
  'HoursRulesDrawer.tsx -> timesheet.schemas.ts',
  'KeyForms.tsx -> cms-keys.schemas.ts',
  'KeyForms.tsx -> fields.schemas.ts',
  'MailSettings.tsx -> mail.schemas.ts',
  'ManualRates.tsx -> exchange-rates.schemas.ts',
  'MapEditorScreen.tsx -> warehouse-maps.schemas.ts',
  'MessageSettingsScreen.tsx -> message-settings.schemas.ts',
  'OfferForm.tsx -> portal.schemas.ts',
  'OrderAddressForm.tsx -> orders.schemas.ts',
  'OrderAlertForm.tsx -> order-alerts.schemas.ts',
  'OrderAlertSettingsForm.tsx -> order-alerts.schemas.ts',
  'OrderImportsScreen.tsx -> cms-keys.schemas.ts',
  'PackingConfigScreen.tsx -> companies.schemas.ts',
  'PackingConfigScreen.tsx -> exceptions.schemas.ts',
  'PackingPin.tsx -> packing-pin.schemas.ts',
  'PayRuleForm.tsx -> salary.schemas.ts',
  'PaySettingsForm.tsx -> salary.schemas.ts',
  'PeriodDialogs.tsx -> salary.schemas.ts',
  'PhotoRemovalDialog.tsx -> packing-photos.schemas.ts',
  'PickupDays.tsx -> deadlines.schemas.ts',
  'PickupForm.tsx -> pickups.schemas.ts',
  'PriceForm.tsx -> prices.schemas.ts',
  'PriceZones.tsx -> prices.schemas.ts',
  'PrinterAlertsForm.tsx -> printer-alerts.schemas.ts',
  'ProblemsPanel.tsx -> drawing.schemas.ts',
  'ProductForm.tsx -> products.schemas.ts',
  'ProductLinksScreen.tsx -> product-links.schemas.ts',
  'ProductsScreen.tsx -> products.schemas.ts',
  'PunchBoardLinks.tsx -> punch-clock.schemas.ts',
  'RecipientsForm.tsx -> bulk-invoicing.schemas.ts',
  'ReturnReasons.tsx -> returns.schemas.ts',
  'ReturnRuleForm.tsx -> return-rules.schemas.ts',
  'ReturnSettingsForm.tsx -> companies.schemas.ts',
  'RmaTextsForm.tsx -> rma-languages.schemas.ts',
  'RulePreviewPanel.tsx -> rule-preview.schemas.ts',
  'SalaryRulesScreen.tsx -> salary.schemas.ts',
  'SerialUnitList.tsx -> serial-units.schemas.ts',
  'SetupScreen.tsx -> setup.schemas.ts',
  'ShippingConfigScreen.tsx -> shipping-methods.schemas.ts',
  'SignInProviderScreen.tsx -> sign-in-provider.schemas.ts',
  'SmsAccountForm.tsx -> sms.schemas.ts',
  'StaffData.tsx -> staff-data.schemas.ts',
  'Surcharges.tsx -> prices.schemas.ts',
  'TagRuleForm.tsx -> tag-rules.schemas.ts',
  'TagsScreen.tsx -> tags.schemas.ts',
  'TemplateForm.tsx -> templates.schemas.ts',
  'UserEmployment.tsx -> employees.schemas.ts',
  'UserForm.tsx -> users.schemas.ts',
  'VideoRecorders.tsx -> packing-video.schemas.ts',
  'VideoSettingsForm.tsx -> packing-video.schemas.ts',
  'WagonTypes.tsx -> pick-lists.schemas.ts',
  'WebHooks.tsx -> cms-keys.schemas.ts',
  'WebHooks.tsx -> fields.schemas.ts',
  'WebhookForm.tsx -> webhooks.schemas.ts',
  'WelcomeScreen.tsx -> fields.schemas.ts',
  'return-rules.rules.ts -> return-policy.schemas.ts',
]

it('loads schemas in the browser only where a screen validates with one', () => {
  const loaded = new Set(
    sources.map(({ path }) => path).filter(path => sideOf(path) === 'browser' || /^src\/app\/(screens|query-client)/.test(path)),
  )
  const pairs: string[] = []
  for (const path of loaded)
    for (const to of byPath.get(path)!.loads)
      if (to.endsWith('.schemas.ts')) pairs.push(`${posix.basename(path)} -> ${posix.basename(to)}`)
      else loaded.add(to)
  expect(pairs.toSorted()).toEqual(screensWithSchemas)
})

const tables = new Set(
  [...(byPath.get('src/platform/database/schema.ts')?.text ?? '').matchAll(/^ {2}(\w+): \w+Row$/gm)].map(([, name]) => name!),
)

/** The tables that a file's statements change, in Kysely's words and in SQL. */
function tablesWrittenIn(text: string): readonly string[] {
  const names = [
    ...text.matchAll(/\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g),
    ...text.matchAll(/\b(?:insert into|delete from|merge into)\s+(\w+)/g),
    ...text.matchAll(/\bupdate\s+(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/g),
  ]
  return names.map(([, name]) => name!).filter(name => tables.has(name))
}

it('has one owner for each table', () => {
  const writers = new Map<string, Set<string>>()
  for (const { path, text } of sources) {
    if (path.startsWith('src/app/demo/')) continue
    const owner = layerOf(path) === 'features' ? unitOf(path) : layerOf(path)
    for (const table of tablesWrittenIn(text)) writers.set(table, (writers.get(table) ?? new Set()).add(owner))
  }
  expect(writers.size).toBeGreaterThan(40)
  const shared = [...writers].filter(([, owners]) => owners.size > 1)
  expect(shared.map(([table, owners]) => `${table}: ${[...owners].join(', ')}`)).toEqual([])
})

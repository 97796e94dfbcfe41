/** The demo operator: a warehouse with two shops, users of every role, a catalogue and a week of orders – all invented. */
import type { Permission } from '#contract/access.ts'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { pinName } from '#features/company/packing-pin/packing-pin.queries.ts'
import { addWagonType, wagonOf } from '#features/warehouse/pick-lists/wagon-types.queries.ts'
import { storeHash } from '#platform/crypto/secret-store.ts'
import { hashPassword } from '#platform/crypto/vault.ts'
import type { Database } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { buildAdditionalProducts } from './additional-products.ts'
import { buildAddressBook } from './address-book.ts'
import { buildAnnouncements } from './announcements.ts'
import { buildBackgroundWork } from './background-work.ts'
import { buildMap, buildOperator, buildUser, scopeOfCompany } from './builders.ts'
import { buildCampaigns } from './campaigns.ts'
import { buildCatalogue } from './catalogue.ts'
import { buildCrateChoices, buildCrates, buildPrices } from './crates.ts'
import { buildCustomers } from './customers.ts'
import { buildDeadlines } from './deadlines.ts'
import { buildExceptions } from './exceptions.ts'
import { demoFloor } from './floor.ts'
import { buildIntegrations } from './integrations.ts'
import { buildInvoices } from './invoices.ts'
import { buildMessages } from './messages.ts'
import { buildOrderAlerts } from './order-alerts.ts'
import { buildOrders, type DemoShop, lookAfterOrders } from './orders.ts'
import { buildPackingPhotos } from './packing-photos.ts'
import { buildPackingRules } from './packing-rules.ts'
import { buildPackingVideos } from './packing-videos.ts'
import { buildParcelWeights } from './parcel-weights.ts'
import { buildParcels } from './parcels.ts'
import { buildPast } from './past.ts'
import { buildPayroll } from './payroll.ts'
import { buildPeople } from './people.ts'
import { buildPickLists } from './pick-lists.ts'
import { buildPickups } from './pickups.ts'
import { buildProductLinks } from './product-links.ts'
import { buildReturnPortal } from './return-portal.ts'
import { buildReturnPrints } from './return-prints.ts'
import { buildReturnRules } from './return-rules.ts'
import { buildReturns } from './returns.ts'
import { buildRulesAndCodes } from './rules-and-codes.ts'
import { buildSettingChanges } from './setting-changes.ts'
import { buildShipmentExceptions } from './shipment-exceptions.ts'
import { buildShopConnections } from './shop-connections.ts'
import { buildStations } from './stations.ts'
import { buildStatusHistories } from './status-histories.ts'
import { buildTags } from './tags.ts'

type Person = { company: string; login: string; name: string; role: string; employee_no: string; permissions: Permission[] }

/** Fixed and published, which is why a server with this data listens on loopback only. */
const staff: readonly Person[] = [
  { company: 'demo', login: 'admin', name: 'Astrid Holm', role: 'Owner', employee_no: '1001', permissions: ['admin'] },
  {
    company: 'demo',
    login: 'lead',
    name: 'Jonas Krogh',
    role: 'Warehouse lead',
    employee_no: '1002',
    permissions: [
      'parcels_admin',
      'scan_admin',
      'list_admin',
      'pick_admin',
      'sn_admin',
      'statistics',
      'dashboard',
      'schedule_admin',
      'punchclock',
      'settings',
    ],
  },
  { company: 'demo', login: 'packer', name: 'Kim Lund', role: 'Packer', employee_no: '1003', permissions: ['scan', 'punchclock'] },
  {
    company: 'demo',
    login: 'picker',
    name: 'Sofie Bang',
    role: 'Picker',
    employee_no: '1004',
    permissions: ['pick', 'scan', 'punchclock'],
  },
  {
    company: 'demo',
    login: 'office',
    name: 'Mette Friis',
    role: 'Customer service',
    employee_no: '1005',
    permissions: ['parcels', 'customer', 'rma_admin', 'punchclock'],
  },
  {
    company: 'demo',
    login: 'accountant',
    name: 'Peter Vang',
    role: 'Accountant',
    employee_no: '1006',
    permissions: ['statistics', 'list', 'dashboard', 'salary_admin'],
  },
  { company: 'demo-north', login: 'north', name: 'Ingrid Solberg', role: 'Shop owner', employee_no: '2001', permissions: ['admin'] },
  { company: 'demo-home', login: 'home', name: 'Erik Lindqvist', role: 'Shop owner', employee_no: '3001', permissions: ['admin'] },
]
/** PINs of the demo: of the packing station, and the personal one of the lead. */
export const demoPins = { packing: '2468', lead: '1357' }

export const demoPassword = (login: string): string => `pakhus-demo-${login}-2026`

export const demoLogins: Services['demo']['logins'] = staff.map(({ company, login, name, role }) => ({
  company,
  login,
  name,
  role,
  password: demoPassword(login),
}))

/** The warehouse's address: a street that does not exist. */
const depot = { address1: 'Pakhuskaj 12', address2: '', postcode: '2150', city: 'Nordhavn', country: 'DK', phone: '', email: '' }

/** Creates all demo data with a past of so many weeks; refuses a database that has companies. */
export async function seedDemo(services: Services, { weeks = 8 }: { weeks?: number } = {}): Promise<void> {
  const { database } = services
  if (await hasCompanies(database)) throw new Error('This database has companies already; demo data is made only in an empty one')
  const network = '127\\.0\\.0\\.1|::1'
  const operator = await buildOperator(database, {
    name: 'Demo warehouse',
    demo: true,
    main: {
      code: 'demo',
      name: 'Pakhus Demo',
      settings: {
        packing_ip_pattern: network,
        gs1_prefix: '5790001',
        currency: 'DKK',
        sender: { ...depot, name: 'Pakhus Demo' },
        support_email: 'hello@demo.example',
        homepage: 'https://demo.example',
      },
    },
    shops: [
      {
        code: 'demo-north',
        name: 'Nordlys Outdoor',
        settings: {
          packing_ip_pattern: network,
          color: '#1d5b3a',
          currency: 'NOK',
          locale: 'no_NO',
          sender: { ...depot, name: 'Nordlys Outdoor c/o Pakhus Demo' },
          support_email: 'hei@nordlys.example',
          homepage: 'https://nordlys.example',
        },
      },
      {
        code: 'demo-home',
        name: 'Hem & Hylla',
        settings: {
          packing_ip_pattern: network,
          color: '#7a3b14',
          currency: 'SEK',
          locale: 'sv_SE',
          sender: { ...depot, name: 'Hem & Hylla c/o Pakhus Demo' },
          support_email: 'hej@hylla.example',
          homepage: 'https://hylla.example',
        },
      },
    ],
  })
  const byCode = new Map([operator.main, ...operator.shops].map(company => [company.code, company]))
  const userIds = new Map<string, number>()
  for (const { company, login, name, role, employee_no, permissions } of staff) {
    const built = byCode.get(company)
    if (!built) continue
    userIds.set(
      login,
      await buildUser(database, scopeOfCompany(operator, built), {
        name,
        role,
        employee_no,
        permissions,
        user_name: login,
        email: `${login}@${company}.example`,
        password: demoPassword(login),
      }),
    )
  }
  const lead = userIds.get('lead')
  const packingPin = await hashPassword(demoPins.packing)
  const leadPin = await hashPassword(demoPins.lead)
  await database.transaction(scopeOfCompany(operator), async db => {
    const at = new Date()
    await storeHash(db, { company_id: operator.main.id, name: pinName }, packingPin, { user_id: 0, at })
    if (lead !== undefined)
      await db.insertInto('user_pins').values({ user_id: lead, pin_hash: leadPin, set_at: at.toISOString() }).execute()
  })
  const shops: DemoShop[] = []
  const currencies = { demo: 'DKK', 'demo-north': 'NOK', 'demo-home': 'SEK' } as const
  for (const code of ['demo', 'demo-north', 'demo-home'] as const) {
    const built = byCode.get(code)
    if (!built) continue
    const scope = { ...scopeOfCompany(operator, built), companies: [built.id] }
    await database.transaction(scope, async db => {
      await db
        .insertInto('shipping_methods')
        .values([
          { agent_code: 'own', shipping_method: 'van', name: 'Own delivery', shop_codes: ['home', '*'], documents: ['label'] },
          { agent_code: 'own', shipping_method: 'pickup', name: 'Collect in shop', shop_codes: ['pickup'], documents: ['label'] },
        ])
        .execute()
    })
    await buildCatalogue(services, scope, code)
    shops.push({ company: code, scope })
  }
  await buildCrates(services, scopeOfCompany(operator), shops)
  await buildProductLinks(services, scopeOfCompany(operator))
  await buildAddressBook(services, scopeOfCompany(operator))
  await buildCampaigns(services, scopeOfCompany(operator))
  for (const { scope } of shops) await buildReturnPortal(services, scope)
  const today = services.now().toISOString().slice(0, 10)
  for (const { scope } of shops) await buildPrices(services, scope, today)
  const person = (login: string) => ({ id: userIds.get(login) ?? 0, name: staff.find(one => one.login === login)?.name ?? '' })
  const { time_zone } = CompanySettings.parse({})
  const done = await buildOrders(services, shops, weeks, time_zone)
  const team = { picker: person('picker'), packer: person('packer'), lead: person('lead') }
  await buildPast(services, scopeOfCompany(operator), done, team, weeks)
  await buildPackingPhotos(services, scopeOfCompany(operator), team)
  await buildPackingVideos(services, scopeOfCompany(operator), team)
  await buildParcelWeights(services, scopeOfCompany(operator), team)
  await buildStations(services, scopeOfCompany(operator), team)
  for (const { company, scope } of shops) await buildPackingRules(services, scope, currencies[company], team)
  await buildStatusHistories(services, scopeOfCompany(operator), team.lead)
  await lookAfterOrders(services, shops)
  for (const { company, scope } of shops) await buildParcels(services, scope, company, company === 'demo' ? 6 : 4)
  await buildMap(services, scopeOfCompany(operator), { title: 'Nordhavn', drawing: demoFloor() })
  await services.database.transaction(scopeOfCompany(operator), db => addWagonType(db, { ...wagonOf('4 × 3', 4, 3), active: true }))
  await buildCrateChoices(services, scopeOfCompany(operator))
  await buildPickLists(services, scopeOfCompany(operator), byCode.get('demo-home')?.id ?? 0, person('lead'))
  await buildExceptions(services, scopeOfCompany(operator), team)
  await buildPickups(services, scopeOfCompany(operator), team.lead.name)
  await buildCustomers(services, scopeOfCompany(operator), person('lead'))
  for (const { scope } of shops) await buildTags(services, scope)
  const { removeLeavers } = await buildPeople(
    services,
    scopeOfCompany(operator),
    { ...team, owner: person('admin'), office: person('office') },
    weeks,
  )
  await buildPayroll(services, scopeOfCompany(operator), { owner: person('admin'), lead: team.lead, packer: team.packer }, weeks)
  await removeLeavers()
  await buildShopConnections(services, scopeOfCompany(operator))
  await buildAnnouncements(services, scopeOfCompany(operator), { author: person('lead').name, readers: [...userIds.values()] })
  await buildMessages(services, shops)
  const all = { ...scopeOfCompany(operator), companies: shops.map(({ scope }) => scope.company_id) }
  await buildAdditionalProducts(services, all)
  await buildOrderAlerts(services, all)
  await buildShipmentExceptions(services, all, person('lead'))
  await buildReturns(services, shops)
  for (const { scope } of shops) await buildReturnRules(services, scope)
  await buildReturnPrints(services, all)
  // Before deadlines, which its orders get too.
  await buildBackgroundWork(services, scopeOfCompany(operator), { office: person('office') })
  await buildDeadlines(services, all, time_zone)
  await buildRulesAndCodes(services, scopeOfCompany(operator), person('admin').id)
  await buildSettingChanges(services, scopeOfCompany(operator), { owner: person('admin').name, office: person('office').name })
  for (const { company, scope } of shops) if (company === 'demo-north') await buildInvoices(services, scope)
  await buildIntegrations(services, scopeOfCompany(operator), { owner: person('admin'), office: person('office') })
}

export const hasCompanies = (database: Database): Promise<boolean> =>
  database.systemTransaction(
    'before there is any tenant',
    async db => (await db.selectFrom('companies').select('id').limit(1).executeTakeFirst()) !== undefined,
  )

export const hasDemo = (database: Database): Promise<boolean> =>
  database.systemTransaction(
    'before there is any tenant',
    async db => (await db.selectFrom('operators').select('id').where('demo', '=', true).limit(1).executeTakeFirst()) !== undefined,
  )

/** Parcel shops: keeping a courier's settings, and asking it for shops near a postcode. */

import { AppError, conflict, externalFailed, orNotFound, unprocessable, type Values } from '#contract/errors.ts'
import { countryCodes } from '#domain/countries.ts'
import { plainPostcode } from '#domain/order/postcodes.ts'
import { errorOf } from '#domain/thrown.ts'
import { notValid, recordOwnedChanges, type SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import { type Courier, CourierRefused, CourierUnavailable, type ParcelShop, type SettingField } from '#integrations/couriers/courier.ts'
import { courier, couriers, makesLabels, mustBeCourier } from '#integrations/couriers/couriers.ts'
import { deleteSecret, storeSecret } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { compileSafeRegExp } from '#platform/http/tenant-host.ts'
import { type KnownPostcode, keepMethods, keepPostcodes, knownPostcodes } from './courier-methods.commands.ts'
import { keptMethods } from './courier-methods.queries.ts'
import { courierSecret, courierSettings, keptSecrets, plainSettings, savePlainSettings } from './courier-settings.queries.ts'
import { keepParcelShops, saveReplacement } from './parcel-shops.commands.ts'
import { parcelShops } from './parcel-shops.contract.ts'
import { hasFreshList, nearShops, replacementOf, shopLists, shopPostcodes } from './parcel-shops.queries.ts'
import { type CourierConfig, parcelShopsSchemas, type Replacement } from './parcel-shops.schemas.ts'
import { shopsKey } from './read-shops.task.ts'

const missing = 'There is no courier of this code'
type Shown = ParcelShop & { seen_at: string | null }

/** A courier that does not answer must not hold the packer. */
const patience = 15_000
/** An account may have many pages of methods. */
const methodsPatience = 60_000
/** Questions about postcodes at once. */
const atOnce = 8

export const parcelShopsServer = implement(parcelShops, parcelShopsSchemas, {
  config: ({ agent_code }, { db, principal }) => configOf(db, principal.company.id, agent_code),

  async setConfig({ agent_code, body: { version, settings } }, { db, principal, services, recordEvent, notify, now }) {
    const { capabilities, checkSettings } = orNotFound(courier(agent_code), 'courier_code_not_found', missing)
    const { id: company_id, operator_id } = principal.company
    const unknown = Object.keys(settings).find(name => !capabilities.settings.some(field => field.name === name))
    if (unknown !== undefined) throw unprocessable('courier_setting_unknown', 'This courier has no setting {{name}}', { name: unknown })
    const before = await courierSettings(db, services.vault, company_id, agent_code)
    const after: Record<string, string> = {}
    for (const { name } of capabilities.settings) {
      const given = settings[name]
      const value = given === undefined ? before[name] : given
      if (value) after[name] = value
    }
    refuse(fieldFindings(capabilities.settings, after))
    refuse((checkSettings?.(after) ?? []).filter(finding => finding.severity === 'error'))

    const isSecret = (name: string) => capabilities.settings.some(field => field.name === name && field.secret)
    const plain = Object.fromEntries(Object.entries(after).filter(([name]) => !isSecret(name)))
    if (!(await savePlainSettings(db, company_id, agent_code, { settings: plain, version, at: now().toISOString() })))
      throw conflict(
        'settings_changed',
        'Someone else changed this. Check the saved version.',
        {},
        { current: await configOf(db, company_id, agent_code) },
      )
    for (const [name, value] of Object.entries(settings).filter(([name]) => isSecret(name))) {
      const place = { operator_id, company_id, name: courierSecret(agent_code, name) }
      if (value === null) await deleteSecret(db, place)
      // An empty box means that nothing was written into it: the kept secret stays.
      else if (value !== '') await storeSecret(db, services.vault, place, value, { user_id: principal.id, at: now() })
    }
    await recordEvent({ kind: 'courier.settings_changed', data: { agent_code, fields: Object.keys(settings) } })
    notify('courier_settings')
    return configOf(db, company_id, agent_code)
  },

  async configured(_, { db, principal }) {
    const kept = await keptMethods(db, principal.company.id)
    return Promise.all(
      [...couriers.values()].map(async one => {
        const { capabilities, probe, accountMethods } = one
        const { agent_code, name, settings } = capabilities
        const plain = (await plainSettings(db, principal.company.id, agent_code)).settings
        const secrets = await keptSecrets(db, principal.company.id, agent_code)
        const configured = settings.every(field => !field.required || (field.secret ? secrets.has(field.name) : Boolean(plain[field.name])))
        return {
          agent_code,
          name,
          configured,
          can_test: probe !== undefined,
          makes_labels: makesLabels(one),
          methods: accountMethods ? (kept.get(agent_code)?.methods ?? 0) : capabilities.methods.length,
          account_methods: accountMethods ? { asked_at: kept.get(agent_code)?.asked_at ?? null } : null,
          cancel: capabilities.cancel,
          tracking: capabilities.tracking,
          webhook: one.webhook !== undefined,
          parcel_shops: capabilities.parcel_shops,
          customs: capabilities.customs !== null,
        }
      }),
    )
  },

  async test({ agent_code }, outside) {
    const asked = orNotFound(courier(agent_code), 'courier_code_not_found', missing)
    const { probe } = asked
    if (!probe) throw conflict('not_supported', '{{courier}} does not offer this', { courier: asked.capabilities.name })
    const answer = await askWithSettings(outside, asked, async (settings, signal) => {
      try {
        return await probe(settings, signal)
      } catch (error) {
        // What the courier says is the answer, also when it says no.
        if (error instanceof CourierRefused) return { ok: false, words: error.message }
        throw error
      }
    })
    return { ...answer, methods: answer.ok && asked.accountMethods ? await readMethods(outside, asked) : null }
  },

  async readMethods({ agent_code }, outside) {
    const asked = orNotFound(courier(agent_code), 'courier_code_not_found', missing)
    return { methods: await readMethods(outside, asked) }
  },

  async bringCustomers(_, outside) {
    const bring = mustBeCourier('bring')
    return askWithSettings(outside, bring, async (settings, signal) => (await bring.customerNumbers?.(settings, signal)) ?? [])
  },

  async burdPostcodes({ postcodes: written, date }, outside) {
    const { transaction, now } = outside
    const burd = mustBeCourier('burd')
    const { agent_code } = burd.capabilities
    const postcodes = [...new Set(written.split(',').map(one => one.trim()))]
    const known = await transaction(({ db }) => knownPostcodes(db, agent_code, postcodes, now()))
    const unknown = postcodes.filter(postcode => !known.some(one => one.postcode === postcode))
    const fresh: KnownPostcode[] = []
    const dates = await askWithSettings(outside, burd, async (settings, signal) => {
      for (let from = 0; from < unknown.length; from += atOnce)
        fresh.push(
          ...(await Promise.all(
            unknown.slice(from, from + atOnce).map(async postcode => ({
              postcode,
              ...((await burd.coverage?.({ postcode, settings }, signal)) ?? { covered: false, area: null }),
            })),
          )),
        )
      return (await burd.deliveryDates?.(settings, signal)) ?? []
    })
    await transaction(({ db }) => keepPostcodes(db, agent_code, fresh, now().toISOString()))
    const answers = new Map([...known, ...fresh].map(one => [one.postcode, one]))
    const offered = dates.filter(one => date === undefined || one === date)
    return postcodes.map(postcode => {
      const { covered = false, area = null } = answers.get(postcode) ?? {}
      return { postcode, covered, area, dates: covered ? offered : [] }
    })
  },

  async instaboxAvailability({ body: { recipient, parcels, value, services: methods } }, outside) {
    const instabox = mustBeCourier('instabox')
    const { mobile, ...address } = recipient
    const search = {
      recipient: { ...address, country: recipient.country.toUpperCase(), phone: mobile },
      parcel: parcels[0] ?? { weight_g: 0, size_mm: null },
      value,
      methods,
    }
    return askWithSettings(
      outside,
      instabox,
      async (settings, signal) => (await instabox.availability?.({ ...search, settings }, signal)) ?? { token: '', options: [] },
    )
  },

  zipcodes({ country }, { db }) {
    const code = country.toUpperCase()
    orNotFound(countryCodes.includes(code) ? code : undefined, 'country_code_not_found', 'There is no such country')
    return shopPostcodes(db, code)
  },

  async shopLists({ agent_code }, { db }) {
    const { allShops } = orNotFound(courier(agent_code), 'courier_code_not_found', missing)
    return { countries: [...(allShops?.countries ?? [])], lists: await shopLists(db, agent_code) }
  },

  async readShops({ agent_code, body }, { db, principal, enqueue, notify }) {
    const { capabilities, allShops } = orNotFound(courier(agent_code), 'courier_code_not_found', missing)
    const country = body.country.toUpperCase()
    const known = allShops?.countries.includes(country) || (await shopLists(db, agent_code)).some(one => one.country === country)
    if (!known) throw conflict('not_supported', '{{courier}} does not offer this', { courier: capabilities.name })
    const { id: company_id, operator_id } = principal.company
    if ((await plainSettings(db, company_id, agent_code)).version === 0)
      throw conflict('courier_not_set_up', '{{courier}} is not set up. Fill in its settings first.', { courier: capabilities.name })
    await enqueue('couriers.shops', { agent_code, country }, { key: shopsKey(agent_code, country, operator_id) })
    notify('courier_settings')
    return { queued: true }
  },

  replacement: (_, { db, principal }) => replacementOf(db, principal.company.id),

  saveReplacement: ({ body }, context) => setReplacement(context, body),

  find: ({ agent_code, country, ...search }, outside) => findShops(outside, agent_code, { ...search, country: country.toUpperCase() }),
})

async function setReplacement(context: Context, { mode, version }: Replacement): Promise<Replacement> {
  const { db, principal, recordEvent, notify } = context
  const { id } = principal.company
  const before = await replacementOf(db, id)
  if (!(await saveReplacement(db, id, { mode, version })))
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: await replacementOf(db, id) })
  await recordOwnedChanges(context, 'parcel_shop_replacement', { mode: before.mode }, { mode })
  await recordEvent({ kind: 'parcel_shop_replacement.set', subject: 'company', subject_id: id, data: { mode } })
  notify('courier_settings')
  return replacementOf(db, id)
}

export const replacementOwner: SettingOwner = {
  name: 'parcel_shop_replacement',
  // Its write compares the version itself.
  read: async ({ db, principal }) => ({ ...(await replacementOf(db, principal.company.id)) }),
  async save(context, _place, values) {
    const read = parcelShopsSchemas.calls.saveReplacement.body.safeParse(values)
    if (!read.success) throw notValid()
    return setReplacement(context, read.data)
  },
}

interface ShopSearch {
  country: string
  postcode: string
  address?: string | null | undefined
  method?: string | undefined
  /** Asks the courier, whatever is kept. */
  fresh?: unknown
}

/** Parcel shops near a place: those of the kept list where it is new, else those that the courier answers, which are kept. */
export async function findShops(outside: ExternalContext, agent_code: string, { country, postcode, address, method, fresh }: ShopSearch) {
  const asked = orNotFound(courier(agent_code), 'courier_code_not_found', missing)
  const place = { agent_code, country, postcode: plainPostcode(postcode, country).postcode }
  const kept = () => outside.transaction(({ db }) => nearShops(db, place))
  // The methods of an account belong to several carriers, whose shops are kept together.
  if (method === undefined && fresh === undefined) {
    const whole = await outside.transaction(({ db, now }) => hasFreshList(db, place, now()))
    const near = whole ? await kept() : []
    // A list without places on the map does not say which shop is the nearest.
    if (near.some(shop => shop.distance_m !== null)) return near.map(shown)
  }
  try {
    const search = { country, postcode, address: address ?? null, method }
    const shops = await askWithSettings(outside, asked, (settings, signal) => asked.parcelShops({ ...search, settings }, signal))
    await outside.transaction(({ db, now }) => keepParcelShops(db, agent_code, shops, now().toISOString()))
    return shops.map(shop => shown({ ...shop, seen_at: null }))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'courier_unreachable' || method !== undefined) throw error
    const shops = await kept()
    if (shops.length === 0) throw error
    return shops.map(shown)
  }
}

const shown = ({ id, name, address1, postcode, city, country, distance_m, opening_hours, locker, seen_at }: Shown) => ({
  ...{ id, name, address1, postcode, city, country, distance_m, opening_hours, seen_at },
  locker: locker ?? false,
})

/** Asks the account for its methods and keeps them; answers how many it has. */
async function readMethods(outside: ExternalContext, asked: Courier): Promise<number> {
  const { capabilities, accountMethods } = asked
  if (!accountMethods) throw conflict('not_supported', '{{courier}} does not offer this', { courier: capabilities.name })
  const methods = await askWithSettings(outside, asked, accountMethods, methodsPatience)
  return outside.transaction(context => keepMethods(context, context.principal.company.id, capabilities.agent_code, methods))
}

/** A question to a courier with the company's settings; its refusal and its silence are kept apart. */
async function askWithSettings<T>(
  { transaction, principal, services, signal }: ExternalContext,
  { capabilities: { agent_code, name, settings: fields } }: Courier,
  ask: (settings: Record<string, string>, signal: AbortSignal) => Promise<T>,
  milliseconds = patience,
): Promise<T> {
  const settings = await transaction(({ db }) => courierSettings(db, services.vault, principal.company.id, agent_code))
  if (fields.some(field => field.required && !settings[field.name]))
    throw conflict('courier_not_set_up', '{{courier}} is not set up. Fill in its settings first.', { courier: name })
  try {
    return await ask(settings, AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]))
  } catch (error) {
    if (error instanceof CourierRefused)
      throw unprocessable('courier_rejected', '{{courier}} refuses: {{reason}}', { courier: name, reason: error.message })
    if (error instanceof CourierUnavailable || signal.aborted || errorOf(error).name === 'TimeoutError')
      throw externalFailed('courier_unreachable', '{{courier}} does not answer at the moment', { courier: name })
    throw error
  }
}

async function configOf(db: Db, company_id: number, agent_code: string): Promise<CourierConfig> {
  const { capabilities } = orNotFound(courier(agent_code), 'courier_code_not_found', missing)
  const { settings, version, updated_at } = await plainSettings(db, company_id, agent_code)
  const secrets = await keptSecrets(db, company_id, agent_code)
  return {
    agent_code,
    name: capabilities.name,
    fields: capabilities.settings.map(({ name, label, hint, secret, required, multiline, choices }) => ({
      name,
      label,
      ...(hint !== undefined && { hint }),
      ...(secret && { secret }),
      ...(required && { required }),
      ...(multiline && { multiline }),
      ...(choices && { choices: [...choices] }),
    })),
    values: Object.fromEntries(capabilities.settings.filter(field => !field.secret).map(({ name }) => [name, settings[name] ?? ''])),
    secrets: Object.fromEntries(capabilities.settings.filter(field => field.secret).map(({ name }) => [name, secrets.get(name) ?? null])),
    version,
    updated_at,
  }
}

interface Problem {
  field: string
  text: string
  values?: Values
}

/** What the declared patterns and choices say. */
function fieldFindings(fields: readonly SettingField[], settings: Record<string, string>): Problem[] {
  return fields.flatMap((field): Problem[] => {
    const value = settings[field.name] ?? ''
    if (value === '') return field.required ? [{ field: field.name, text: 'Fill this in' }] : []
    const listed = !field.choices || field.choices.some(choice => choice.value === value)
    if (listed && (field.pattern === undefined || compileSafeRegExp(field.pattern)?.matches(value))) return []
    return [{ field: field.name, text: field.refusal ?? 'This does not have the right form' }]
  })
}

/** Each finding is one sentence; of several on a field the first is reported. */
function refuse(problems: readonly Problem[]): void {
  const [first] = problems
  if (!first) return
  const fields: Record<string, string> = {}
  for (const problem of problems) fields[problem.field] ??= problem.text
  throw unprocessable('fields_invalid', first.text, first.values ?? {}, { fields })
}

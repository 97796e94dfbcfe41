/** The history of a company's settings: reading it, and setting the last change of a setting back. */
import { forbidden } from '#contract/errors.ts'
import { isOneOf, keysOf } from '#domain/objects.ts'
import { scopeOfPrincipal } from '#platform/auth/identity.ts'
import { createContext } from '#platform/http/context.ts'
import { csv } from '#platform/http/csv.ts'
import { type ExternalContext, type FeatureModule, implement } from '#platform/http/feature-module.ts'
import { applyChange } from './change-settings.server.ts'
import { CompanySettings } from './companies.schemas.ts'
import { settingChanges } from './setting-changes.contract.ts'
import { settingChange, settingChangesPage } from './setting-changes.queries.ts'
import { settingChangesSchemas } from './setting-changes.schemas.ts'
import { flatSettings, ownedParts, withSetting } from './setting-fields.rules.ts'
import { changedSince, notValid, type SettingOwner, setBackOwned, withPlaceNames } from './setting-owners.server.ts'

const mostExported = 50_000
const textOf = (value: unknown): string => (value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value))

export const settingChangesServer = (owners: readonly SettingOwner[]): FeatureModule =>
  implement(settingChanges, settingChangesSchemas, {
    async list(question, context) {
      const found = await settingChangesPage(context.db, context.principal, question)
      return { ...found, rows: await withPlaceNames(owners, context, found.rows) }
    },

    async exportAll(question, { db, principal, now }) {
      const { rows } = await settingChangesPage(db, principal, { ...question, page: 1, limit: mostExported })
      return {
        bytes: csv(
          ['at', 'changed_by', 'setting', 'page', 'before', 'after'],
          rows.map(row => [row.at, row.changed_by, row.name, row.page, textOf(row.before), textOf(row.after)]),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `settings-${principal.company.code}-${now().toISOString().slice(0, 10)}.csv`,
      }
    },

    async setBack({ id }, context) {
      const { principal } = context
      let name = ''
      const owner = await context.transaction(async ({ db }) => {
        const change = await settingChange(db, principal, id)
        return owners.find(one => one.name === ownedParts(change.name).owner)
      })
      if (owner)
        await inScopeOf(owner, context).transaction(async inner => {
          const change = await settingChange(inner.db, principal, id)
          name = change.name
          const { place, field } = ownedParts(name)
          if (!change.is_last) throw changedSince((await owner.read(inner, place, field))[field] ?? null)
          if (!change.can_set_back) throw forbidden('setting_locked', 'You may not change this setting.')
          await setBackOwned(owner, inner, change)
        })
      else
        await applyChange(context, async (current, db) => {
          const change = await settingChange(db, principal, id)
          name = change.name
          if (!change.is_last) throw changedSince(flatSettings({ ...current }).get(change.name) ?? null)
          if (!change.can_set_back) throw forbidden('setting_locked', 'You may not change this setting.')
          if (change.name === 'name') return { name: String(change.before), settings: {} }
          return { settings: before(current, change.name, change.before) }
        })
      const rows = await context.transaction(async inner => {
        const found = await settingChangesPage(inner.db, principal, { name, page: 1, limit: 1 })
        return withPlaceNames(owners, inner, found.rows)
      })
      const [row] = rows
      if (!row) throw forbidden('setting_locked', 'You may not change this setting.')
      return row
    },
  })

/** What may be about all companies is saved as its page does, with all of them in reach. */
const inScopeOf = ({ tenantScope }: SettingOwner, context: ExternalContext): ExternalContext =>
  tenantScope ? createContext(context.services, context.principal, scopeOfPrincipal(context.principal, tenantScope), context) : context

/** The part of the settings that holds this one, as it was before; a value that was absent is left out. */
function before(current: CompanySettings, name: string, value: unknown): Partial<CompanySettings> {
  for (const one of value === null ? [null, undefined] : [value]) {
    const read = CompanySettings.safeParse(withSetting({ ...current }, name, one))
    const [part = ''] = name.split('.')
    if (read.success && isOneOf(keysOf(read.data), part)) return { [part]: read.data[part] }
  }
  throw notValid()
}

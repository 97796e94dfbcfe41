/** Settings that other features store: each change leaves its row in the history, and can be set back through the function that its page uses. */
import { isDeepStrictEqual } from 'node:util'
import { conflict, unprocessable } from '#contract/errors.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { writeSettingChanges } from './setting-changes.commands.ts'
import type { SettingChangeRow } from './setting-changes.schemas.ts'
import { ownedParts, type SettingChange } from './setting-fields.rules.ts'

export type OwnedValues = Readonly<Record<string, unknown>>

export interface SettingOwner {
  /** The first part of the names: `webhooks`. */
  name: string
  /** Where what is saved may be about all companies. */
  tenantScope?: 'operator'
  /** Place → the name that people gave it. */
  placeNames?(context: Context, places: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** What is saved of a place, with its row locked; `field` is the one that is asked for. */
  read(context: Context, place: string, field: string): Promise<OwnedValues>
  /** Whether the value still is what a change made of it; without it, where both are equal. */
  isSame?(current: unknown, after: unknown): boolean
  /** Saves it as the page does; values that are not allowed any more are refused. `field` is the one that differs. */
  save(context: Context, place: string, values: OwnedValues, field: string): Promise<unknown>
}

/** What differs. Values are compared and kept whole, so that a part of one never comes back alone. */
export const ownedChanges = (place: string, before: OwnedValues, after: OwnedValues): SettingChange[] =>
  Object.keys(after)
    .filter(field => !isDeepStrictEqual(before[field] ?? null, after[field] ?? null))
    .map(field => ({ name: `${place}.${field}`, before: before[field] ?? undefined, after: after[field] ?? undefined }))

/** Writes who changed what of an owner's settings. */
export async function recordOwnedChanges(
  context: Context,
  place: string,
  before: OwnedValues,
  after: OwnedValues,
  company_id = context.principal.company.id,
): Promise<void> {
  const changes = ownedChanges(place, before, after)
  const { db, principal, now, notify } = context
  await writeSettingChanges(db, company_id, changes, { name: principal.name, at: now() })
  if (changes.length > 0) notify('company')
}

/** Rows of the history with the names of their places. */
export async function withPlaceNames(owners: readonly SettingOwner[], context: Context, rows: readonly SettingChangeRow[]) {
  const names = new Map<string, ReadonlyMap<string, string>>()
  const placesOf = Map.groupBy(
    rows.map(row => ownedParts(row.name)),
    part => part.owner,
  )
  for (const { name, placeNames } of owners) {
    const places = new Set(placesOf.get(name)?.map(part => part.place))
    if (placeNames && places.size > 0) names.set(name, await placeNames(context, [...places]))
  }
  return rows.map(row => {
    const { owner, place } = ownedParts(row.name)
    return { ...row, place_name: names.get(owner)?.get(place) ?? null }
  })
}

/** Saves the value before the change, where it is still as the change left it. */
export async function setBackOwned(owner: SettingOwner, context: Context, change: SettingChangeRow): Promise<void> {
  const { place, field } = ownedParts(change.name)
  const current = await owner.read(context, place, field)
  const isSame = owner.isSame ?? isDeepStrictEqual
  if (!isSame(current[field] ?? null, change.after ?? null)) throw changedSince(current[field] ?? null)
  await owner.save(context, place, { ...current, [field]: change.before }, field)
}

export const changedSince = (current: unknown) =>
  conflict('setting_changed_since', 'This setting was changed again since. Look at its last change.', {}, { current })

export const notValid = () => unprocessable('setting_not_valid', 'The value before is not allowed any more. Enter another one on the page.')

/** Crate types: handlers. */

import { fromMinor } from '#domain/money.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { allowUpload } from '#platform/limits/company-limits.ts'
import { createCrateType, putPicture, removeCrateType, restoreCrateType, updateCrateType } from './crate-types.commands.ts'
import { crateTypes } from './crate-types.contract.ts'
import { cratePicture, crateTypeById, findCrateTypes, readerOf } from './crate-types.queries.ts'
import { crateTypesSchemas } from './crate-types.schemas.ts'
import { boxList } from './crates-history.server.ts'

const mostExported = 5_000

export const crateTypesServer = implement(crateTypes, crateTypesSchemas, {
  list: (query, { db, principal }) => findCrateTypes(db, readerOf(principal), query),
  get: ({ id }, { db, principal }) => crateTypeById(db, readerOf(principal), id),
  picture: async ({ id }, { db, principal }) => ({
    bytes: await cratePicture(db, readerOf(principal), id),
    media_type: 'image/webp',
    name: `crate-${id}.webp`,
    inline: true,
  }),
  create: ({ body }, context) =>
    addEntry(
      boxList,
      context,
      () => createCrateType(context, body),
      type => type.id,
    ),
  update: ({ id, body }, context) => changeEntry(boxList, context, id, () => updateCrateType(context, id, body)),
  remove: ({ id }, context) => changeEntry(boxList, context, id, () => removeCrateType(context, id)),
  async setPicture({ id, upload }, { services, transaction, scope }) {
    await transaction(({ db }) => allowUpload(db, scope.company_id))
    const { bytes } = await sanitizeImage(upload.content, { longest: 800, as: 'webp' })
    const stored = await services.files.put(scope.operator_id, bytes)
    return transaction(context => putPicture(context, id, stored))
  },
  restore: ({ id }, context) => changeEntry(boxList, context, id, () => restoreCrateType(context, id)),
  async export(asked, { db, principal, now }) {
    const { rows } = await findCrateTypes(db, readerOf(principal), { ...asked, page: 1, limit: mostExported })
    return {
      bytes: csv(
        [
          ...['name', 'code', 'barcode', 'inner_length_mm', 'inner_width_mm', 'inner_height_mm', 'outer_length_mm', 'outer_width_mm'],
          ...['outer_height_mm', 'tare_g', 'max_g', 'cost', 'currency', 'stock', 'low_stock', 'filler_percent', 'couriers', 'companies'],
          ...['letter_box', 'max_side_sum_mm', 'position', 'active'],
        ],
        rows.map(row => [
          ...[row.name, row.code, row.barcode, ...row.inner_mm, ...row.outer_mm, row.tare_g, row.max_g],
          ...[fromMinor(row.cost, row.currency), row.currency, row.stock, row.low_stock, row.filler_percent],
          ...[row.agent_codes?.join(' '), row.company_ids?.join(' '), String(row.letter_box), row.max_side_sum_mm],
          ...[row.position, String(row.active)],
        ]),
      ),
      media_type: 'text/csv; charset=utf-8',
      name: `boxes-${now().toISOString().slice(0, 10)}.csv`,
    }
  },
  removePicture: ({ id }, context) => putPicture(context, id, null),
})

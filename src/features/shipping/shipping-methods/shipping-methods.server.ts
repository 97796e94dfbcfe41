/** Shipping methods: switching them on, naming them, and telling packers how to handle them. */

import type { StoredContent } from '#contract/endpoint.ts'
import { orNotFound } from '#contract/errors.ts'
import { changeSettings } from '#features/company/companies/companies.commands.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { allowUpload } from '#platform/limits/company-limits.ts'
import { shippingMethods } from './shipping-methods.contract.ts'
import { changeMethod, forgetMethod, handlingImage, type MethodRowChange, methodBy, methodsOf } from './shipping-methods.queries.ts'
import { type ShippingMethod, shippingMethodsSchemas } from './shipping-methods.schemas.ts'

const on = (text: 'true' | 'false' | '1' | '0'): boolean => text === 'true' || text === '1'
const noPicture = 'There is no picture'

export const shippingMethodsServer = implement(shippingMethods, shippingMethodsSchemas, {
  list: ({ agent_code }, { db, principal }) => methodsOf(db, principal.company.id, agent_code),

  get: ({ agent_code, method }, { db, principal }) => methodBy(db, principal.company.id, agent_code, method),

  set: ({ body: { version, documents, shop_codes, ...fields }, type, ...which }, context) =>
    change(
      context,
      which,
      {
        type,
        ...(fields.name !== undefined && { name: fields.name }),
        ...(fields.packing_text !== undefined && { packing_text: fields.packing_text || null }),
        ...(shop_codes && { shop_codes: [...new Set(shop_codes)] }),
        ...(documents && { documents: ['label', ...new Set(documents)] }),
      },
      version,
    ),

  setActive: ({ active, ...which }, context) => change(context, which, { active: on(active) }),

  setLabelCheck: ({ toggle, courier, method }, context) =>
    change(context, { agent_code: courier, method }, { check_tracking_and_trace: on(toggle) }),

  setDocument: ({ active, attribute, ...which }, context) =>
    change(context, which, current => {
      const others = current.documents.filter(document => document !== attribute)
      return { documents: ['label', ...others, ...(on(active) ? [attribute] : [])] }
    }),

  setText: ({ attribute, body, ...which }, context) =>
    change(context, which, current => {
      if (attribute === 'packing_text') return { packing_text: body.value || null }
      // Without a name of its own a method goes by the courier's.
      return { name: body.value || current.name }
    }),

  async remove({ agent_code, method }, { db, principal, recordEvent, notify }) {
    await forgetMethod(db, principal.company.id, agent_code, method)
    await recordEvent({ kind: 'shipping_method.forgotten', data: { agent_code, method } })
    notify('shipping_method')
  },

  async image({ agent_code, method }, context) {
    const file = await context.transaction(({ db, principal }) => handlingImage(db, principal.company.id, agent_code, method))
    return picture(file ?? orNotFound(await defaultImage(context), 'picture_not_found', noPicture))
  },

  async setImage({ upload, ...which }, context) {
    const { transaction, services, scope } = context
    await transaction(async ({ db, principal }) => {
      await methodBy(db, principal.company.id, which.agent_code, which.method)
      await allowUpload(db, scope.company_id)
    })
    const { bytes, media_type } = await sanitizeImage(upload.content, { longest: 800, as: 'webp' })
    const stored = await services.files.put(scope.operator_id, bytes)
    await transaction(async inner => {
      const image_file_id = await recordFile(inner.db, stored, { media_type, name: `${which.agent_code}-${which.method}.webp` })
      await change(inner, which, { image_file_id })
    })
  },

  async removeImage(which, context) {
    await change(context, which, { image_file_id: null })
  },

  async defaultImage(_, context) {
    return picture(orNotFound(await defaultImage(context), 'picture_not_found', noPicture))
  },

  async setDefaultImage({ upload }, { transaction, services, scope, principal, now }) {
    await transaction(({ db }) => allowUpload(db, scope.company_id))
    const { bytes, media_type } = await sanitizeImage(upload.content, { longest: 800, as: 'webp' })
    const stored = await services.files.put(scope.operator_id, bytes)
    await transaction(async ({ db, recordEvent, notify }) => {
      const handling_image_file_id = await recordFile(db, stored, { media_type, name: 'handling.webp' })
      await changeSettings(db, principal.company.id, { handling_image_file_id }, { name: principal.name, at: now() })
      await recordEvent({ kind: 'company.changed', subject: 'company', subject_id: principal.company.id, data: { handling_image: 'set' } })
      notify('shipping_method')
    })
  },

  async removeDefaultImage(_, { db, principal, recordEvent, notify, now }) {
    await changeSettings(db, principal.company.id, { handling_image_file_id: null }, { name: principal.name, at: now() })
    await recordEvent({
      kind: 'company.changed',
      subject: 'company',
      subject_id: principal.company.id,
      data: { handling_image: 'removed' },
    })
    notify('shipping_method')
  },
})

async function change(
  { db, principal, recordEvent, notify }: Context,
  which: { agent_code: string; method: string },
  what: MethodRowChange | ((current: ShippingMethod) => MethodRowChange),
  version?: number,
): Promise<ShippingMethod> {
  const { agent_code, method } = which
  const after = await changeMethod(db, principal.company.id, { agent_code, method }, what, version)
  await recordEvent({ kind: 'shipping_method.changed', data: { agent_code, method, ...(typeof what === 'function' ? {} : what) } })
  notify('shipping_method')
  return after
}

const defaultImage = ({ transaction }: ExternalContext) =>
  transaction(async ({ db, principal }) => {
    const { handling_image_file_id } = await companySettings(db, principal.company.id)
    return handling_image_file_id === null
      ? undefined
      : db.selectFrom('files').select(['sha256', 'bytes', 'media_type']).where('id', '=', handling_image_file_id).executeTakeFirst()
  })

const picture = (file: StoredContent & { media_type: string }) => ({ bytes: file, media_type: file.media_type, inline: true })

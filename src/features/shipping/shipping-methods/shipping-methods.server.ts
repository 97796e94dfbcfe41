/** Shipping methods: switching them on, naming them, and telling packers how to handle them. */
import { found } from '#contract/errors.ts'
import { noteFile } from '#platform/files/file-store.ts'
import { plainPicture } from '#platform/files/images.ts'
import { type Context, type OutsideContext, serve } from '#platform/http/feature-module.ts'
import { changeSettings, companySettings } from '#features/company/companies/companies.queries.ts'
import { type ShippingMethod, shippingMethods } from './shipping-methods.contract.ts'
import { changeMethod, forgetMethod, handlingImage, type MethodRowChange, methodBy, methodsOf } from './shipping-methods.queries.ts'

const on = (text: 'true' | 'false' | '1' | '0'): boolean => text === 'true' || text === '1'
const noPicture = 'There is no picture'

export const shippingMethodsServer = serve(shippingMethods, {
  list: ({ agent_code }, { db, person }) => methodsOf(db, person.company.id, agent_code),

  get: ({ agent_code, method }, { db, person }) => methodBy(db, person.company.id, agent_code, method),

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

  async remove({ agent_code, method }, { db, person, record, tell }) {
    await forgetMethod(db, person.company.id, agent_code, method)
    await record({ kind: 'shipping_method.forgotten', data: { agent_code, method } })
    tell('shipping_method')
  },

  async image({ agent_code, method }, context) {
    const file = await context.work(({ db, person }) => handlingImage(db, person.company.id, agent_code, method))
    return file ? picture(context, file) : picture(context, found(await defaultImage(context), noPicture))
  },

  async setImage({ upload, ...which }, context) {
    const { work, house, scope } = context
    await work(({ db, person }) => methodBy(db, person.company.id, which.agent_code, which.method))
    const { bytes, media_type } = await plainPicture(upload.bytes, { longest: 800, as: 'webp' })
    const sha256 = await house.files.put(scope.operator_id, bytes)
    await work(async inner => {
      const image_file_id = await noteFile(inner.db, sha256, bytes, { media_type, name: `${which.agent_code}-${which.method}.webp` })
      await change(inner, which, { image_file_id })
    })
  },

  async removeImage(which, context) {
    await change(context, which, { image_file_id: null })
  },

  async defaultImage(_, context) {
    return picture(context, found(await defaultImage(context), noPicture))
  },

  async setDefaultImage({ upload }, { work, house, scope, person }) {
    const { bytes, media_type } = await plainPicture(upload.bytes, { longest: 800, as: 'webp' })
    const sha256 = await house.files.put(scope.operator_id, bytes)
    await work(async ({ db, record, tell }) => {
      const handling_image_file_id = await noteFile(db, sha256, bytes, { media_type, name: 'handling.webp' })
      await changeSettings(db, person.company.id, { handling_image_file_id })
      await record({ kind: 'company.changed', subject: 'company', subject_id: person.company.id, data: { handling_image: 'set' } })
      tell('shipping_method')
    })
  },

  async removeDefaultImage(_, { db, person, record, tell }) {
    await changeSettings(db, person.company.id, { handling_image_file_id: null })
    await record({ kind: 'company.changed', subject: 'company', subject_id: person.company.id, data: { handling_image: 'removed' } })
    tell('shipping_method')
  },
})

async function change(
  { db, person, record, tell }: Context,
  which: { agent_code: string; method: string },
  what: MethodRowChange | ((current: ShippingMethod) => MethodRowChange),
  version?: number,
): Promise<ShippingMethod> {
  const { agent_code, method } = which
  const after = await changeMethod(db, person.company.id, { agent_code, method }, what, version)
  await record({ kind: 'shipping_method.changed', data: { agent_code, method, ...(typeof what === 'function' ? {} : what) } })
  tell('shipping_method')
  return after
}

const defaultImage = ({ work }: OutsideContext) =>
  work(async ({ db, person }) => {
    const { handling_image_file_id } = await companySettings(db, person.company.id)
    return handling_image_file_id === null
      ? undefined
      : db.selectFrom('files').select(['sha256', 'media_type']).where('id', '=', handling_image_file_id).executeTakeFirst()
  })

const picture = async ({ house, scope }: OutsideContext, { sha256, media_type }: { sha256: string; media_type: string }) => ({
  bytes: await house.files.get(scope.operator_id, sha256),
  media_type,
  inline: true,
})

/** A sample, flyer or gift that a rule added: it goes into the parcel before that is closed. */
import { additionalProducts } from '#features/orders/additional-products/additional-products.contract.ts'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { currentLocale, useT } from '#ui/kit/translate.ts'
import style from './AdditionForm.module.css'
import { additionChoices, nextAddition } from './packing-additions.rules.ts'
import parts from './station-parts.module.css'
import { Choices, Prompt, useStation } from './station-parts.tsx'

export default function AdditionForm({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch } = useStation()
  const addition = nextAddition(order)
  if (!addition) return null
  const { name, qty, bin, handling, texts } = addition
  const where = bin === null ? null : t('Bin {{bin}}', { bin })
  return (
    <div className={parts.asking}>
      <div className={style.addition}>
        {addition.has_image ? (
          <ImageView
            from={{ call: additionalProducts.picture, input: { id: addition.additional_product_id } }}
            sku={addition.barcode ?? ''}
            name={name}
            size="clamp(7rem, 22vh, 16rem)"
            version={addition.version}
          />
        ) : null}
        <Prompt
          eyebrow={handling === 'scan' ? t('Scan it into the parcel') : t('Put it into the parcel')}
          detail={[texts[currentLocale()], where].filter(Boolean).join(' · ')}
        >
          {t('{{qty}} × {{name}}', { qty, name })}
        </Prompt>
      </div>
      <Choices choices={additionChoices(addition)} onChoose={choice => dispatch(choice.event)} />
    </div>
  )
}

/** Beside the order: what rules added to it. */
export function AdditionList({ order }: { order: PackingOrder }) {
  const t = useT()
  return (
    <ul aria-label={t('Added by rules')}>
      {order.additions
        .filter(one => one.state === 'planned' || one.state === 'packed')
        .map(({ id, qty, name, state }) => (
          <li key={id} className={style.row}>
            <span>{t('{{qty}} × {{name}}', { qty, name })}</span>
            <b>{state === 'packed' ? t('Packed') : t('Not packed yet')}</b>
          </li>
        ))}
    </ul>
  )
}

/** The code of a bundle was scanned: it is packed part by part. */
import { Button } from '@mantine/core'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './BundleParts.module.css'
import parts from './station-parts.module.css'
import { ByKey, LineRow, Prompt, useStation } from './station-parts.tsx'

export default function BundleParts({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, state } = useStation()
  const shown = order.lines.filter(line => state.wrong?.choices.includes(line.order_line_id))
  return (
    <div className={parts.asking}>
      <Prompt eyebrow={state.wrong?.values.name} detail={t('A bundle is packed part by part.')}>
        {t('Scan the parts')}
      </Prompt>
      <ul className={style.parts}>
        {shown.map(line => (
          <LineRow key={line.order_line_id} line={line} />
        ))}
      </ul>
      <div>
        <Button size="lg" variant="default" onClick={() => dispatch({ type: 'back' })} rightSection={<ByKey keys="Enter" />}>
          {t('Continue')}
        </Button>
      </div>
    </div>
  )
}

/** What is asked about a line that was reported missing, before the next line appears: is it missing elsewhere too, and a photo. */
import { Button } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { useRef } from 'react'
import { useT } from '#ui/kit/translate.ts'
import style from './Pick.module.css'
import steps from './PickSteps.module.css'
import { smallPhoto } from './photo-upload.client.ts'
import { BinCode, LinePicture, SlotNumber, usePicker } from './pick-parts.tsx'
import { slotOf } from './picking.rules.ts'

export function PickReported() {
  const t = useT()
  const { dispatch, state } = usePicker()
  const input = useRef<HTMLInputElement>(null)
  const { reported, wagon } = state
  if (!reported || !wagon || state.news.length > 0) return null
  const { line, others } = reported
  const asked = wagon.pick_lines.filter(one => others.includes(one.id))
  const title = asked.length > 0 ? t('Missing there too?') : t('Photo for this product?')
  return (
    <div className={steps.reported} role="alertdialog" aria-label={title}>
      <h2>{title}</h2>
      <div className={steps.short}>
        <LinePicture line={line} size={112} />
        <div>
          <p className={steps.code}>
            <BinCode bin={line.bin ?? ''} />
          </p>
          <p>{line.name}</p>
          <p className={style.dim}>{line.sku}</p>
        </div>
      </div>
      {asked.length > 0 ? (
        <>
          <p>{t('The same product from this bin is also needed for:')}</p>
          <p className={steps.slots}>
            {asked.map(one => (
              <SlotNumber key={one.id} no={one.slot_no} colour={slotOf(wagon, one)?.colour ?? null} />
            ))}
          </p>
          <div className={steps.answers}>
            <Button
              size="xl"
              fullWidth
              variant="default"
              className={style.thumb}
              onClick={() => dispatch({ type: 'also_missing', yes: false })}
            >
              {t('No, I look there')}
            </Button>
            <Button size="xl" fullWidth data-enter className={style.thumb} onClick={() => dispatch({ type: 'also_missing', yes: true })}>
              {asked.length === 1 ? t('Missing there too') : t('Missing on all {{n}}', { n: asked.length })}
            </Button>
          </div>
        </>
      ) : (
        <div className={steps.answers}>
          <input
            ref={input}
            type="file"
            accept="image/*"
            capture="environment"
            hidden
            onChange={event => {
              const file = event.currentTarget.files?.[0]
              if (file) void smallPhoto(file).then(blob => dispatch({ type: 'photo', blob }))
            }}
          />
          <Button
            size="xl"
            fullWidth
            variant="default"
            leftSection={<IconPhoto size={24} aria-hidden />}
            onClick={() => input.current?.click()}
            className={style.thumb}
          >
            {t('Add a photo')}
          </Button>
          <Button size="xl" fullWidth data-enter onClick={() => dispatch({ type: 'no_photo' })} className={style.thumb}>
            {t('No photo')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The open box in front of the camera: what the camera sees, and what can be done where it gives no picture. */
import { Button, NativeSelect } from '@mantine/core'
import { IconCamera, IconCameraOff } from '@tabler/icons-react'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { useCameraPicture } from '#features/packing/packing-photos/camera-picture.client.ts'
import { chooseCamera } from '#features/packing/packing-photos/photo-camera.client.ts'
import { useT } from '#ui/kit/translate.ts'
import { cameraSentences } from '#ui/scanner/camera.ts'
import { choicesOf } from './choices.rules.ts'
import style from './PhotoForm.module.css'
import { approvalOf } from './packing-rule-approval.rules.ts'
import parts from './station-parts.module.css'
import { ByKey, Choices, Prompt, useStation } from './station-parts.tsx'

export default function PhotoForm({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, state, situation } = useStation()
  const { taking = false, problem = null, approves = false } = state.photographing ?? {}
  const asked = approves ? state.approving?.asked : undefined
  const approval = asked && approvalOf(order, asked)
  const item = order.lines.find(line => line.order_line_id === asked?.line_id)?.name
  const picture = useCameraPicture(problem === null)
  const parcel = order.session?.parcel_no ?? 1
  if (problem !== null)
    return (
      <div className={style.missing} role="alert">
        <Prompt
          eyebrow={
            <span className={style.eyebrow}>
              <IconCameraOff size={32} aria-hidden /> {t('Parcel {{parcel}}', { parcel })}
            </span>
          }
          detail={t(cameraSentences[problem])}
        >
          {t('No camera picture')}
        </Prompt>
        <Choices choices={choicesOf(state, situation)} onChoose={choice => dispatch(choice.event)} />
      </div>
    )
  return (
    <div className={parts.asking}>
      {approval ? (
        <Prompt eyebrow={t('Approval needed')} detail={t('The photo is kept as the answer.')}>
          {[approval.name, item].filter(Boolean).join(': ')}
        </Prompt>
      ) : (
        <Prompt eyebrow={t('Parcel {{parcel}}', { parcel })} detail={t('Put the open box under the camera.')}>
          {t('Photo of the open box')}
        </Prompt>
      )}
      <video ref={picture.video} className={style.picture} muted playsInline autoPlay aria-label={t('Picture of the camera')} />
      {picture.cameras.length > 1 ? (
        <NativeSelect
          size="lg"
          label={t('Camera')}
          value={picture.camera_id ?? ''}
          data={[
            { value: '', label: t('The browser’s choice') },
            ...picture.cameras.map((one, i) => ({ value: one.deviceId, label: one.label || t('Camera {{number}}', { number: i + 1 }) })),
          ]}
          onChange={event => {
            chooseCamera(event.currentTarget.value || null)
            // Enter belongs to the station again.
            event.currentTarget.blur()
          }}
        />
      ) : null}
      <div className={parts.buttons}>
        <Button
          size="lg"
          loading={taking}
          leftSection={<IconCamera size={20} />}
          rightSection={<ByKey keys="Enter" />}
          onClick={() => dispatch({ type: 'take_photo' })}
        >
          {t('Take photo')}
        </Button>
        <Button size="lg" variant="default" onClick={() => dispatch({ type: 'back' })} rightSection={<ByKey keys="Esc" />}>
          {t('Back')}
        </Button>
      </div>
    </div>
  )
}

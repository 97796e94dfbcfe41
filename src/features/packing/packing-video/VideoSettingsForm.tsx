/** Whether packing is filmed, how long and how much is kept, and what staff read about it. */
import { Alert, NativeSelect, SegmentedControl, Switch, Textarea } from '@mantine/core'
import { useState } from 'react'
import { type Locale, locales } from '#contract/limits.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit, useOpenWrong } from '#ui/kit/Form.tsx'
import { bytes } from '#ui/kit/format.ts'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { isLocale, localeNames, useLocale, useT } from '#ui/kit/translate.ts'
import { useVersion } from '#ui/kit/use-version.client.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { type Received, send, useCall } from '#ui/query/calls.ts'
import { megabitsPerSecond } from './packing-video.codes.ts'
import { packingVideo } from './packing-video.contract.ts'
import { packingVideoSchemas } from './packing-video.schemas.ts'

type Saved = Received<typeof packingVideo.settings>

export function VideoSettingsForm({ saved, mayEdit }: { saved: Saved; mayEdit: boolean }) {
  const t = useT()
  const { save, take } = useVersion(saved, (body: Saved) => send(packingVideo.setSettings, { body }))
  const edit = useEdit({
    schema: packingVideoSchemas.calls.setSettings.body,
    initial: saved,
    save,
    refreshes: [packingVideo.settings, packingVideo.station, packingVideo.storage],
    said: t('Video settings saved'),
    undo: (_, before) => save(before),
    conflict: { schema: packingVideoSchemas.calls.settings.reply, values: take },
  })
  const { quality, retention_days } = edit.values
  const perDay = (megabitsPerSecond[quality] / 8) * 1e6 * 180 * 100
  return (
    <Form edit={edit}>
      {mayEdit ? null : <Alert color="harbour">{t('The warehouse films packing and sets how long videos are kept.')}</Alert>}
      <SettingsSection
        title={t('Filming')}
        help={t('Picture only. Sound is never recorded, and is removed from videos that a recorder sends.')}
      >
        <Switch
          label={t('Film packing')}
          description={t('Each station with a camera starts with the order and shows that it records.')}
          {...disabledBecause(!mayEdit && t('The warehouse films packing and sets how long videos are kept.'))}
          {...edit.of('enabled', 'checkbox')}
        />
        <NativeSelect
          label={t('Quality of station cameras')}
          maw={340}
          {...disabledBecause(!mayEdit && t('The warehouse films packing and sets how long videos are kept.'))}
          data={[
            { value: '480p', label: t('480p, about 4.5 MB a minute') },
            { value: '720p', label: t('720p, about 7.5 MB a minute') },
          ]}
          {...edit.of('quality')}
        />
      </SettingsSection>
      <SettingsSection
        title={t('How long videos are kept')}
        help={t('Afterwards they are deleted, unless someone keeps them with a reason. 30 days is the longest.')}
      >
        <WholeNumberInput
          label={t('Days')}
          min={1}
          max={30}
          maw={200}
          {...disabledBecause(!mayEdit && t('The warehouse films packing and sets how long videos are kept.'))}
          {...edit.of('retention_days')}
        />
        <WholeNumberInput
          label={t('Space for all videos')}
          description={t('100 orders of 3 minutes a day take about {{size}}. When full, filming stops.', {
            size: bytes(perDay * Number(retention_days)),
          })}
          min={1}
          max={100_000}
          suffix=" GB"
          maw={340}
          {...disabledBecause(!mayEdit && t('The warehouse films packing and sets how long videos are kept.'))}
          {...edit.of('storage_gb')}
        />
      </SettingsSection>
      <Notices edit={edit} mayEdit={mayEdit} />
    </Form>
  )
}

/** What a packer reads before the first recording, in each language. */
function Notices({ edit, mayEdit }: { edit: ReturnType<typeof useEdit<Saved, unknown, unknown>>; mayEdit: boolean }) {
  const t = useT()
  const own = useLocale()
  const [shown, setShown] = useState<Locale>(own)
  useOpenWrong(
    edit,
    locales.filter(locale => edit.form.errors[`notices.${locale}`]),
    shown,
    setShown,
  )
  const standard = useCall(packingVideo.notices, {}, { fresh: 3_600_000 })
  return (
    <SettingsSection
      title={t('Notice to staff')}
      help={t('Shown at the station before the camera is switched on. An empty text shows the standard one.')}
    >
      <SegmentedControl
        mb="sm"
        aria-label={t('Language')}
        data={locales.map(locale => ({ value: locale, label: localeNames[locale] }))}
        value={shown}
        onChange={next => isLocale(next) && setShown(next)}
      />
      <Textarea
        key={shown}
        aria-label={t('Notice in {{language}}', { language: localeNames[shown] })}
        placeholder={standard.data?.standard[shown] ?? ''}
        autosize
        minRows={5}
        {...disabledBecause(!mayEdit && t('The warehouse films packing and sets how long videos are kept.'))}
        {...edit.form.getInputProps(`notices.${shown}`)}
        value={edit.values.notices[shown] ?? ''}
      />
    </SettingsSection>
  )
}

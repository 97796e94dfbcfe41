/** A campaign as a recipient sees it on a phone, beside a made-up order at any stage, and a link that shows it outside. */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Locale } from '#contract/limits.ts'
import { type TrackingStage, trackingStages } from '#domain/tracking-stages.ts'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { time } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { localeNames, useT } from '#ui/kit/translate.ts'
import { urlOf, useSend } from '#ui/query/calls.ts'
import { apiHost } from '#ui/query/request-context.ts'
import style from './Campaigns.module.css'
import type { CampaignVariant } from './campaigns.codes.ts'
import { campaigns } from './campaigns.contract.ts'
import { stageHeadlines, stageLabels } from './campaigns.labels.tsx'
import type { CampaignWords } from './campaigns.schemas.ts'

interface PictureProps {
  public_key: string | null
  locale: Locale
  variant: CampaignVariant
  picture: string | null
  alt: string
}

export function CampaignPicture({ public_key, locale, variant, picture, alt }: PictureProps) {
  const t = useT()
  if (public_key === null || picture === null) return <div className={style.picture}>{t('No image yet')}</div>
  // By the public key, which needs no session: the address stands in an `img`.
  const src = apiHost() + urlOf(campaigns.picture, { parts: `${public_key}_${locale}_${variant}_700`, v: picture })
  return (
    <div className={style.picture}>
      <img src={src} alt={alt} />
    </div>
  )
}

interface PreviewProps extends Omit<PictureProps, 'alt'> {
  id: number | null
  words: CampaignWords
  stages: readonly TrackingStage[]
  has_link: boolean
}

export function CampaignPreview({ id, words, stages, has_link, ...picture }: PreviewProps) {
  const t = useT()
  const [stage, setStage] = useState<TrackingStage>(stages[0] ?? 'on_its_way')
  const { locale, variant } = picture
  const isShown = stages.includes(stage)
  const share = useSend(campaigns.preview)
  const link =
    share.data && id !== null
      ? `${location.origin}/tracking?lang=${locale}#campaign=${id}&token=${share.data.token}&stage=${stage}&variant=${variant}`
      : null
  return (
    <Stack gap="sm" component="section" aria-label={t('Preview')}>
      <Text fw={600}>{t('Preview')}</Text>
      <NativeChoice
        label={t('Stage of the made-up order')}
        data={trackingStages.map(value => ({ value, label: t(stageLabels[value]) }))}
        value={stage}
        choose={setStage}
      />
      <div className={style.phone}>
        <span className={style.answer}>{t(stageHeadlines[stage])}</span>
        {isShown ? (
          <div className={style.slot} lang={locale.slice(0, 2)}>
            <CampaignPicture {...picture} alt={words.alt} />
            {words.headline === '' ? null : <span className={style.headline}>{words.headline}</span>}
            {words.text === '' ? null : <span>{words.text}</span>}
            {words.button === '' || !has_link ? null : (
              <div>
                <Button component="span" variant="default" tabIndex={-1}>
                  {words.button}
                </Button>
              </div>
            )}
          </div>
        ) : (
          <Text size="sm" c="dimmed">
            {t('Not shown at this stage.')}
          </Text>
        )}
      </div>
      {id === null ? null : (
        <Stack gap={4}>
          <Group gap="xs">
            <Button variant="default" size="compact-sm" loading={share.isPending} onClick={() => share.mutate({ id })}>
              {t('Create preview link')}
            </Button>
            {link === null ? null : (
              <>
                <Anchor href={link} target="_blank" rel="noopener" underline="always" size="sm">
                  {t('Open preview in {{language}}', { language: localeNames[locale] })}
                </Anchor>
                <CopyButton text={link} label={t('Copy link')} />
              </>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {share.data
              ? t('Valid until {{time}}. It shows what is saved.', { time: time(share.data.expires_at) })
              : t('Shows what is saved to whoever has the link, for 30 minutes.')}
          </Text>
        </Stack>
      )}
    </Stack>
  )
}

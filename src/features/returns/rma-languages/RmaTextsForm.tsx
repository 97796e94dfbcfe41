/** Texts and pictures of the portal in one language; beside them what a customer sees on a phone. */
import { Anchor, Button, FileButton, Group, Input, Stack, Text, Textarea } from '@mantine/core'
import { useRef } from 'react'
import * as z from 'zod'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { bytes, time } from '#ui/kit/format.ts'
import { toastInfo } from '#ui/kit/toasts.ts'
import { localeNames, useT } from '#ui/kit/translate.ts'
import { send, urlOf, useSend } from '#ui/query/calls.ts'
import { apiHost } from '#ui/query/request-context.ts'
import layout from '#ui/rules/RuleForm.module.css'
import style from './RmaConfig.module.css'
import { mainShop, mostPictureUpload, type RmaTarget, rmaTargets } from './rma-languages.codes.ts'
import { rmaLanguages } from './rma-languages.contract.ts'
import { targetHelp, targetLabels } from './rma-languages.labels.ts'
import { RmaLanguage, RmaTexts } from './rma-languages.schemas.ts'

const Schema = z.object({ texts: RmaTexts })
const refreshes = [rmaLanguages.list]

export function RmaTextsForm({ one }: { one: RmaLanguage }) {
  const t = useT()
  const { language, shop } = one
  const version = useRef(one.version)
  const edit = useEdit({
    schema: Schema,
    initial: { texts: one.texts },
    save: ({ texts }) => send(rmaLanguages.setTexts, { language, shop, body: { texts, version: version.current } }),
    refreshes,
    said: t('Texts saved'),
    done: saved => {
      version.current = saved.version
    },
    conflict: {
      schema: RmaLanguage,
      values: fresh => {
        version.current = fresh.version
        return { texts: fresh.texts }
      },
    },
  })
  const area = (name: keyof RmaTexts, rows: number) => ({
    autosize: true,
    minRows: rows,
    maxRows: 14,
    ...edit.form.getInputProps(`texts.${name}`),
  })
  return (
    <div className={layout.form}>
      <Stack gap="lg" className={layout.editor}>
        <Form edit={edit}>
          <Textarea label={t('Greeting')} description={t('The first sentence of the portal.')} {...area('greeting', 2)} />
          <Textarea
            label={t('Return address')}
            description={t('Where customers send parcels that they label themselves. Needed to open the portal.')}
            {...area('return_address', 3)}
          />
          <Textarea
            label={t('Confirmation')}
            description={t('What the e-mail says that confirms a return. Needed to open the portal.')}
            {...area('confirmation', 4)}
          />
          <Textarea
            label={t('Terms and conditions')}
            description={t('Shown below the form: conditions and the information about the right of withdrawal.')}
            {...area('legal', 3)}
          />
          <Textarea label={t('Help')} description={t('How customers reach you about a return.')} {...area('support', 2)} />
        </Form>
        {rmaTargets.map(target => (
          <Picture
            key={target}
            one={one}
            target={target}
            changed={next => {
              version.current = next
            }}
          />
        ))}
      </Stack>
      <Preview one={one} texts={edit.values.texts} />
    </div>
  )
}

const addressOf = ({ language, shop, pictures }: RmaLanguage, target: RmaTarget): string =>
  apiHost() + urlOf(rmaLanguages.picture, { language, target, shop, v: pictures[target] ?? undefined })

interface PictureProps {
  one: RmaLanguage
  target: RmaTarget
  changed: (version: number) => void
}

function Picture({ one, target, changed }: PictureProps) {
  const t = useT()
  const { language, shop } = one
  const done = ({ version }: { version: number }) => changed(version)
  const set = useSend(rmaLanguages.setPicture, { refreshes, said: t('Image saved'), done })
  const remove = useSend(rmaLanguages.setPicture, { refreshes, said: t('Image removed'), done })
  const has = one.pictures[target] !== null
  const take = (file: File | null) => {
    if (!file) return
    if (file.size > mostPictureUpload)
      toastInfo(t('{{name}} is larger than {{limit}}', { name: file.name, limit: bytes(mostPictureUpload) }))
    else set.mutate({ language, target, shop, upload: file })
  }
  return (
    <Input.Wrapper label={t(targetLabels[target])} labelElement="div" description={t(targetHelp[target])}>
      <Group mt={4} role="group" aria-label={t(targetLabels[target])}>
        {has ? <img className={style.thumbnail} src={addressOf(one, target)} alt={t(targetLabels[target])} /> : null}
        <FileButton onChange={take} accept="image/png,image/jpeg,image/webp,image/svg+xml">
          {props => (
            <Button {...props} variant="default" loading={set.isPending}>
              {has ? t('Replace image') : t('Add image')}
            </Button>
          )}
        </FileButton>
        {has ? (
          <Button
            variant="subtle"
            color="brick"
            loading={remove.isPending}
            onClick={() => remove.mutate({ language, target, shop, upload: new Blob([]) })}
          >
            {t('Remove image')}
          </Button>
        ) : null}
      </Group>
    </Input.Wrapper>
  )
}

function Preview({ one, texts }: { one: RmaLanguage; texts: RmaTexts }) {
  const t = useT()
  const { language, shop, pictures } = one
  const share = useSend(rmaLanguages.preview)
  const search = `lang=${language}${shop === mainShop ? '' : `&shop=${encodeURIComponent(shop)}`}`
  const link = share.data ? `${location.origin}/rma-landing-page-preview?${search}#token=${share.data.token}` : null
  return (
    <Stack gap="sm" component="section" aria-label={t('Preview')} className={style.aside}>
      <Text fw={600}>{t('Preview')}</Text>
      <div className={style.phone} lang={language.slice(0, 2)}>
        {pictures.logo === null ? null : <img className={style.logo} src={addressOf(one, 'logo')} alt="" />}
        {pictures.header === null ? null : <img className={style.header} src={addressOf(one, 'header')} alt="" />}
        {texts.greeting === '' ? null : <span className={style.greeting}>{texts.greeting}</span>}
        <div className={style.card}>
          <Text fw={600}>{t('Order {{number}}', { number: '1001' })}</Text>
          <span>2 × {t('Wool socks')}</span>
          <span>1 × {t('Water bottle')}</span>
          <div>
            <Button component="span" tabIndex={-1} size="compact-sm" variant="default">
              {t('Continue')}
            </Button>
          </div>
        </div>
        {texts.support === '' ? null : <span className={style.small}>{texts.support}</span>}
        {texts.legal === '' ? null : <span className={style.small}>{texts.legal}</span>}
      </div>
      <Stack gap={4}>
        <Group gap="xs">
          <Button variant="default" size="compact-sm" loading={share.isPending} onClick={() => share.mutate({ language, shop })}>
            {t('Create preview link')}
          </Button>
          {link === null ? null : (
            <>
              <Anchor href={link} target="_blank" rel="noopener" underline="always" size="sm">
                {t('Open preview in {{language}}', { language: localeNames[language] })}
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
    </Stack>
  )
}

/** The mail to a packer about a clip of their packing that is kept longer than usual. */
import * as z from 'zod'
import { heldClip } from '#features/packing/packing-video/packing-video.queries.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import type { MailWriter } from './mail-sender.server.ts'
import { writeMail } from './mail-text.rules.ts'
import { letterTo } from './user-letter.server.ts'

const Payload = z.object({ video_id: z.number().int(), video_company_id: z.number().int() })

/** Null where the clip is not held any more, or the packer has left or has no address. */
export const writeHeldClipMail: MailWriter = async (delivery, services) => {
  const { video_id, video_company_id: company_id } = Payload.parse(delivery.payload)
  const { operator_id } = delivery
  // The order may be of another company than the packer.
  const scope = { operator_id, company_id, companies: [company_id] }
  const clip = await services.database.readOnly(scope, db => heldClip(db, video_id))
  const letter = await letterTo(delivery, services, async () => null)
  if (!letter || !clip?.held_until) return null
  const { t, locale, company, name, address, time_zone } = letter
  const tag = locale.replace('_', '-')
  const at = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: time_zone })
  const until = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(clip.held_until))
  const text = writeMail({
    locale,
    company: company.name,
    subject: t('A video of your work is kept until {{until}}', { until }),
    paragraphs: [
      t('Hello {{name}},', { name }),
      t(
        'The packing video of order {{order_no}}, {{station}}, {{time}}, shows your work. It is kept until {{until}} and not deleted before.',
        {
          order_no: clip.order_no,
          station: clip.station,
          time: at.format(new Date(clip.starts_at)),
          until,
        },
      ),
      t('Decided by {{name}}, for this reason: {{reason}}', { name: clip.held_by_name, reason: clip.held_reason }),
      t('You may ask to see the video. Ask your employer if you do not agree.'),
    ],
    link: { label: t('Open Pakhus'), url: publicUrl(services, company.code) },
    closing: t('Answers to this mail are not read.'),
  })
  return { ...text, to: { name, address } }
}

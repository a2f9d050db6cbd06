import { expect, test } from '@jest/globals'
import { decodeSummary, encodeSummary } from '../../../core/inbox/summary-record.ts'
import { sampleContent } from '../../contract/sample.ts'

test('a summary is the same after encoding and decoding', () => {
  const summary = sampleContent({
    codes: ['AB-12'],
    bodyText: 'Press HERE',
    bodyTextTruncated: true,
    actionLink: { url: 'https://x.test/', text: 'Confirm', kind: 'confirm' },
    attachmentCount: 2,
  })
  expect(decodeSummary(encodeSummary(summary))).toEqual(summary)
})

test('a record has the names that version 0.2.0 wrote', () => {
  const record = JSON.parse(encodeSummary(sampleContent())) as object
  expect(Object.keys(record).sort()).toEqual(
    'action_link attachment_count body_text body_text_truncated cc codes from links size subject to'.split(
      ' ',
    ),
  )
})

test('a record of a version without action links has none', () => {
  const { action_link: _, ...old } = JSON.parse(encodeSummary(sampleContent()))
  expect(decodeSummary(JSON.stringify(old)).actionLink).toBeNull()
})

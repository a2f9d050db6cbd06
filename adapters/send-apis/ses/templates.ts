import { Buffer } from 'node:buffer'
import type { Clock } from '../../../core/clock.ts'
import type { EmailTemplates, StoredTemplate, TemplateSaved } from '../../../core/inbox/templates.ts'
import { TEMPLATE_DATA_BYTES } from '../../../core/limits.ts'
import { renderMime } from '../message.ts'
import { JsonObject, parseJson, validated } from '../provider.ts'
import { checkTemplate, Renderer, type TemplateData } from '../render.ts'
import { SendError } from '../send-error.ts'

const PROVIDER = 'ses'
const NAME = /^[A-Za-z0-9_-]{1,64}$/
const PAGE_MAX = 100
const PAGE_DEFAULT = 10

export interface TemplateParts {
  subject: string | undefined
  text: string | undefined
  html: string | undefined
}

export interface TemplatePage {
  templates: { name: string; createdAt: number }[]
  nextToken: string | undefined
}

/** The templates of Amazon SES. Version 1 and 2 of the API show the same ones. */
export class SesTemplates {
  readonly #store: EmailTemplates
  readonly #clock: Clock

  constructor(store: EmailTemplates, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** @throws SendError */
  async create(name: string, parts: TemplateParts): Promise<void> {
    if (!NAME.test(name)) {
      throw new SendError(
        'invalid',
        'Template name must have 1 to 64 characters of letters, digits, _ and -.',
      )
    }
    const template = { name, content: contentOf(parts), createdAt: this.#clock() }
    done(name, await this.#store.create(PROVIDER, template))
  }

  /** @throws SendError */
  async update(name: string, parts: TemplateParts): Promise<void> {
    done(name, await this.#store.replace(PROVIDER, name, contentOf(parts)))
  }

  /** @throws SendError `template_not_found` */
  async get(name: string): Promise<TemplateParts & Pick<StoredTemplate, 'createdAt'>> {
    const stored = await this.#store.find(PROVIDER, name)
    if (stored === undefined) throw missing(name)
    const { subject, text, html } = JSON.parse(stored.content) as Partial<TemplateParts>
    return { subject, text, html, createdAt: stored.createdAt }
  }

  /** Returns whether the template existed. */
  remove(name: string): Promise<boolean> {
    return this.#store.remove(PROVIDER, name)
  }

  /** @param token `nextToken` of the page before */
  async list(size: number | undefined, token: string | undefined): Promise<TemplatePage> {
    const limit = Math.min(Math.max(size ?? PAGE_DEFAULT, 1), PAGE_MAX)
    const found = await this.#store.list(PROVIDER, token ?? '', limit + 1)
    const templates = found.slice(0, limit)
    return { templates, nextToken: found.length > limit ? templates.at(-1)?.name : undefined }
  }

  /** The template with this data as a MIME message. @throws SendError */
  async testRender(name: string, data: string): Promise<string> {
    return renderMime(renderParts(await this.get(name), templateData(data)))
  }
}

/** The data of a template: a JSON object. @throws SendError `invalid` */
export function templateData(json: string | undefined): TemplateData {
  if (Buffer.byteLength(json ?? '') > TEMPLATE_DATA_BYTES) {
    throw new SendError('invalid', `The data of a template has at most ${TEMPLATE_DATA_BYTES} bytes.`)
  }
  return validated(JsonObject, parseJson(json || '{}', 'TemplateData'))
}

/** @throws SendError `rendering` */
export function renderParts(parts: TemplateParts, data: TemplateData): TemplateParts & { subject: string } {
  const renderer = new Renderer()
  return {
    subject: renderer.strict(parts.subject ?? '', data),
    text: parts.text === undefined ? undefined : renderer.strict(parts.text, data),
    html: parts.html === undefined ? undefined : renderer.strict(parts.html, data),
  }
}

/** @throws SendError `template_invalid` */
function contentOf(parts: TemplateParts): string {
  if (!parts.subject) throw new SendError('template_invalid', 'The subject must be specified.')
  checkTemplate([parts.subject, parts.text ?? '', parts.html ?? ''])
  return JSON.stringify(parts)
}

function done(name: string, outcome: TemplateSaved): void {
  if (outcome === 'exists') throw new SendError('template_exists', `Template ${name} already exists.`)
  if (outcome === 'missing') throw missing(name)
  if (outcome === 'full') throw new SendError('limit_exceeded', 'The store holds the most templates it may.')
}

function missing(name: string): SendError {
  return new SendError('template_not_found', `Template ${name} does not exist.`)
}

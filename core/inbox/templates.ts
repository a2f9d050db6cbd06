/** A template that an application stored by a send API. */
export interface StoredTemplate {
  name: string
  /** JSON in the form of the provider. */
  content: string
  createdAt: number
}

/**
 * `exists`: a new template has the name of another. `missing`: no template to replace. `full`: the
 * store holds TEMPLATES_MAX templates or TEMPLATES_BYTES already.
 */
export type TemplateSaved = 'saved' | 'exists' | 'missing' | 'full'

/**
 * Templates of the send APIs, separate for each provider. Changes are durable when the promise
 * resolves.
 */
export interface EmailTemplates {
  create(provider: string, template: StoredTemplate): Promise<TemplateSaved>
  /** Replaces the content and keeps `createdAt`. */
  replace(provider: string, name: string, content: string): Promise<TemplateSaved>
  find(provider: string, name: string): Promise<StoredTemplate | undefined>
  /** At most `limit` templates with names greater than `after`, sorted by name. */
  list(provider: string, after: string, limit: number): Promise<StoredTemplate[]>
  /** Returns whether the template existed. */
  remove(provider: string, name: string): Promise<boolean>
}

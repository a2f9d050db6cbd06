import { useEffect, useState } from 'preact/hooks'
import type { ApiProblem } from '../lib/problem.ts'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { fetchReference, type Operation, type Reference } from './openapi.ts'
import { SchemaView } from './schema-view.tsx'
import { TryIt } from './try-it.tsx'

/** Every operation of the service, from its own OpenAPI document. */
export function ReferenceView() {
  const [reference, setReference] = useState<Reference>()
  const [problem, setProblem] = useState<ApiProblem>()
  useEffect(() => {
    fetchReference().then(setReference, setProblem)
  }, [])
  if (problem) return <Problem problem={problem} />
  if (reference === undefined) return <p class="loading">Fetching the reference…</p>
  return (
    <>
      {reference.groups.map(({ name, operations }) => (
        <section key={name} class="operations">
          <h3>{name}</h3>
          {operations.map((operation) => (
            <OperationView key={operation.id} operation={operation} reference={reference} />
          ))}
        </section>
      ))}
    </>
  )
}

interface Props {
  operation: Operation
  reference: Reference
}

function OperationView({ operation, reference }: Props) {
  const [open, setOpen] = useState(location.hash === `#${operation.id}`)
  const { method, path, id, summary, credentials } = operation
  return (
    <details
      class="operation"
      id={id}
      open={open}
      onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>
        <span class="method" data-method={method}>
          {method}
        </span>
        <code class="path">{path}</code>
        <span class="summary">{summary}</span>
        {credentials.some(({ required, isApiKey }) => required && isApiKey) && (
          <span class="fine" title="Needs an API key">
            <Icon name="key" />
            <span class="visually-hidden">needs an API key</span>
          </span>
        )}
      </summary>
      {open && <Details operation={operation} reference={reference} />}
    </details>
  )
}

function Details({ operation, reference }: Props) {
  const { description, parameters, answers } = operation
  const refused = answers.filter(({ status }) => status >= '400')
  return (
    <div class="operation-details">
      {description && <p>{description}</p>}
      {parameters.length > 0 && (
        <table class="parameters">
          <caption class="visually-hidden">Parameters</caption>
          <tbody>
            {parameters.map((parameter) => (
              <tr key={`${parameter.in} ${parameter.name}`}>
                <th scope="row">
                  <code>{parameter.name}</code>
                  <span class="fine">
                    {' '}
                    {parameter.in}
                    {parameter.required ? ', required' : ''}
                  </span>
                </th>
                <td>
                  {parameter.description}{' '}
                  {parameter.schema && <SchemaView schema={parameter.schema} reference={reference} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {answers
        .filter(({ status }) => status < '400')
        .map(({ status, description: text, type, schema }) => (
          <details key={status} class="answer">
            <summary>
              <strong>{status}</strong> {text} {type && <span class="fine">{type}</span>}
            </summary>
            {schema && <SchemaView schema={schema} reference={reference} />}
          </details>
        ))}
      {refused.length > 0 && (
        <p class="fine">
          Refusals: {refused.map(({ status }) => status).join(', ')}, each a <a href="/problems/">problem</a>.
        </p>
      )}
      <TryIt operation={operation} />
    </div>
  )
}

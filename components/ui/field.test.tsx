import { useState } from 'react';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { Field, TextInput } from './field';

function Box({ error, was }: { error?: string; was?: string }) {
  const [value, setValue] = useState('1');
  return (
    <Field label="Steps" description="How many" error={error} was={was}>
      {(control) => <TextInput {...control} value={value} onValue={setValue} />}
    </Field>
  );
}

afterEach(cleanup);

describe('a field', () => {
  it('ties label, description and error to its control', () => {
    render(<Box error="expected a number" />);
    const input = screen.getByLabelText('Steps');
    const described = (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent);
    expect(described).toEqual(['expected a number', 'How many']);
    expect(input.getAttribute('aria-invalid')).toBe('true');
  });

  it('is not marked invalid without an error, and shows what the value was', () => {
    render(<Box was="120" />);
    expect(screen.getByLabelText('Steps').getAttribute('aria-invalid')).toBeNull();
    expect(screen.getByText('was 120')).toBeDefined();
  });

  it('shows what is typed even where the value answers late', () => {
    render(
      <Field label="Late">
        {(control) => <TextInput {...control} value="old" onValue={() => undefined} />}
      </Field>,
    );
    const input = screen.getByLabelText('Late');
    fireEvent.change(input, { target: { value: 'new' } });
    expect(input).toHaveProperty('value', 'new');
    fireEvent.blur(input);
    expect(input).toHaveProperty('value', 'old');
  });
});

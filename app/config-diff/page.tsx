import type { Metadata } from 'next';
import { ConfigDifferenceScreen } from '@/components/config/config-difference-screen';

export const metadata: Metadata = { title: 'Config difference' };

export default function ConfigDifferencePage() {
  return <ConfigDifferenceScreen />;
}
